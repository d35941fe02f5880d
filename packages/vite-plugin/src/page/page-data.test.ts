import { expect, test } from 'vitest'

import { findPageData } from './page-data.ts'

test.each([
  ['vite-plugin-sveltekit-setup', '/users/__data.json?x-sveltekit-invalidated=01'],
  ['vite-plugin-sveltekit-setup', '/users.html__data.json'],
  ['react-router', '/users.data'],
  ['react-router:config', '/_root.data?_routes=root'],
  ['react-router', '/__manifest?paths=%2Fusers'],
  ['react-router/rsc', '/users.manifest?version=development'],
  ['react-router/rsc', '/.manifest?paths=%2F%2C%2Fabout&version=development'],
  ['rsc:minimal', '/users.rsc?_routes=root'],
  ['rsc:minimal', '/users/_.rsc'],
  ['vite-plugin-qwik-city', '/users/q-data.json'],
  ['vike:build:pluginBuildApp', '/users/index.pageContext.json'],
  ['waku:vite-plugins:main', '/RSC/R/about.txt?query='],
  ['nuxt:environments', '/users/_payload.json?hash'],
])('%s requests %s', (name, path) => {
  const paths = findPageData({ plugins: [{ name: 'vite:css' }, { name }] })
  expect(new URL(path, 'http://localhost').pathname).toMatch(new RegExp(paths ?? 'nothing'))
  expect('/api/data.json').not.toMatch(new RegExp(paths ?? ''))
})

test('other projects have no such paths', () => {
  expect(findPageData({ plugins: [{ name: 'vite:css' }] })).toBe(undefined)
})
