import { expect, test } from 'vitest'

import { describeOwnRequests } from './own-requests.ts'

const isOwn = (path: string, basePath = ''): boolean =>
  new RegExp(describeOwnRequests(basePath)).test(`http://localhost:3000${path}`)

test.each([
  '/_next/static/development/_devMiddlewareManifest.json',
  '/_next/data/development/users.json?id=5',
  '/__nextjs_original-stack-frames',
  '/users?_rsc=1x2y3',
  '/users?page=2&_rsc=1x2y3',
])('Next.js requests %s', (path) => {
  expect(isOwn(path)).toBe(true)
})

test('in a base path', () => {
  expect(isOwn('/docs.v1/_next/data/development/users.json', '/docs.v1')).toBe(true)
  expect(isOwn('/docs.v1/users?_rsc=1x2y3', '/docs.v1')).toBe(true)
  // The font of its overlay is outside the base path.
  expect(isOwn('/__nextjs_font/geist-latin.woff2', '/docs.v1')).toBe(true)
  expect(isOwn('/docs-v1/_next/data/development/users.json', '/docs.v1')).toBe(false)
})

test.each(['/api/users', '/api/_next/users', '/api/users?from=/_next/data/a', '/api/users?name=_rsc='])(
  'the app requests %s',
  (path) => {
    expect(isOwn(path)).toBe(false)
  },
)
