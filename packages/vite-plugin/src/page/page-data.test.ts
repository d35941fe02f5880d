import { expect, test } from 'vitest'

import { findPageData, findRenderedData } from './page-data.ts'

test.each([
  ['vite-plugin-sveltekit-setup', '/users/__data.json?x-sveltekit-invalidated=01'],
  ['vite-plugin-sveltekit-setup', '/users.html__data.json'],
  ['react-router', '/users.data'],
  ['react-router:config', '/_root.data?_routes=root'],
  ['react-router', '/__manifest?paths=%2Fusers'],
  ['react-router/rsc', '/users.manifest?version=development'],
  ['react-router/rsc', '/.manifest?paths=%2F%2C%2Fabout&version=development'],
  ['remix', '/users.data'],
  ['remix', '/users?page=2&_data=routes%2Fusers'],
  ['rsc:minimal', '/users.rsc?_routes=root'],
  ['rsc:minimal', '/users/_.rsc'],
  ['vite-plugin-qwik-city', '/users/q-data.json'],
  ['vike:build:pluginBuildApp', '/users/index.pageContext.json'],
  ['waku:vite-plugins:main', '/RSC/R/about.txt?query='],
  ['nuxt:environments', '/users/_payload.json?hash'],
  ['rwsdk:config', '/users?__rsc='],
  ['rwsdk:config', '/users?page=2&__rsc=#top'],
  ['rwsdk:config', '/users?__rsc=&__rsc_action_id=__rsc_hot_update'],
  ['@analogjs/vite-plugin-nitro', '/api/_analog/pages/users/5'],
])('%s requests %s', (name, path) => {
  const urls = new RegExp(findPageData({ plugins: [{ name: 'vite:css' }, { name }] }) ?? 'nothing')
  expect(new URL(path, 'http://localhost').href).toMatch(urls)
  expect('http://localhost/api/data.json').not.toMatch(urls)
  expect(`http://localhost/api/data?next=${path.replaceAll('&', '/')}`).not.toMatch(urls)
})

test.each([
  '/?__rsc=&__rsc_action_id=%2Fsrc%2Ffunctions.ts%23save',
  '/?__rsc_action_id=abc&__rsc=',
  '/?page=2&__rsc_action_id=abc&a=1&__rsc=#top',
])('calls of server functions of RedwoodSDK are requests of the app: %s', (path) => {
  const urls = new RegExp(findPageData({ plugins: [{ name: 'rwsdk:config' }] }) ?? '')
  expect(`http://localhost${path}`).not.toMatch(urls)
})

test.each(['/users?__rsc_action_id=__rsc_hot_update&__rsc=', '/users?__rsc=#&__rsc_action_id=abc'])(
  'pages of RedwoodSDK request %s',
  (path) => {
    const urls = new RegExp(findPageData({ plugins: [{ name: 'rwsdk:config' }] }) ?? 'nothing')
    expect(`http://localhost${path}`).toMatch(urls)
  },
)

test.each([
  ['rwsdk:config', '/users?page=2#&__rsc='],
  ['remix', '/users?page=2#&_data=routes%2Fusers'],
])('%s has no parameters in fragments', (name, path) => {
  const urls = new RegExp(findPageData({ plugins: [{ name }] }) ?? '')
  expect(`http://localhost${path}`).not.toMatch(urls)
})

test('only Analog requests the data of a page while it renders', () => {
  const plugins = ['vite-plugin-sveltekit-setup', 'react-router', 'nuxt:environments'].map((name) => ({ name }))
  expect(findRenderedData({ plugins })).toBe(undefined)
  expect(findRenderedData({ plugins: [...plugins, { name: '@analogjs/vite-plugin-nitro' }] })).toBe(
    findPageData({ plugins: [{ name: '@analogjs/vite-plugin-nitro' }] }),
  )
})

test('other projects have no such URLs', () => {
  expect(findPageData({ plugins: [{ name: 'vite:css' }] })).toBe(undefined)
})
