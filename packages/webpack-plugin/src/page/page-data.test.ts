import { expect, test } from 'vitest'

import { findPageData } from './page-data.ts'

test.each([
  ['gatsby$', '/page-data/users/page-data.json'],
  ['gatsby$', '/docs/page-data/app-data.json'],
  ['gatsby$', '/page-data/sq/d/123.json'],
  ['gatsby$', '/slice-data/header.json?hash=1'],
  ['@_modern_js_src', '/users?__loader=users%2Fpage&__ssrDirect=true'],
])('%s requests %s', (alias, path) => {
  const urls = new RegExp(findPageData({ plugins: [], output: {}, resolve: { alias: { [alias]: '/x' } } }) ?? 'nothing')
  expect(`http://localhost${path}`).toMatch(urls)
  expect('http://localhost/api/users?name=/page-data/a').not.toMatch(urls)
  expect('http://localhost/api/users?page=2#&__loader=a').not.toMatch(urls)
})

test.each([{ alias: { react: '/x' } }, { alias: false as const }, undefined])(
  'other projects have no such URLs',
  (resolve) => {
    expect(findPageData({ plugins: [], output: {}, ...(resolve && { resolve }) })).toBe(undefined)
  },
)
