import { expect, test } from 'vitest'

import { cleanUrl } from './clean-url.ts'

test.each([
  ['/user', '/user'],
  ['/user?id=5', '/user'],
  ['/user#top', '/user'],
  ['/user?id=5#top', '/user'],
  ['https://example.com/user?id=5&b=:c', 'https://example.com/user'],
  ['/user/:id?', '/user/:id?'],
  ['/user/:id?/posts', '/user/:id?/posts'],
  ['/user/:id?tab=1', '/user/:id'],
  ['*', '*'],
  ['', ''],
])('cleanUrl(%j)', (path, expected) => {
  expect(cleanUrl(path)).toBe(expected)
})
