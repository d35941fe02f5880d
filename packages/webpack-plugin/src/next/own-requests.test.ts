import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { createPagePolicy, describeOwnRequests } from './own-requests.ts'

const isOwn = (path: string, basePath = '', assetPrefix = ''): boolean =>
  new RegExp(describeOwnRequests(basePath, assetPrefix)).test(`http://localhost:3000${path}`)

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

test.each(['/assets.v1', 'assets.v1/', 'http://localhost:3000/assets.v1', '//localhost:3000/assets.v1/'])(
  'below the asset prefix %s',
  (assetPrefix) => {
    expect(isOwn('/assets.v1/_next/static/development/_devPagesManifest.json', '', assetPrefix)).toBe(true)
    expect(isOwn('/assets.v1/_next/static/development/_devPagesManifest.json', '/docs', assetPrefix)).toBe(true)
    // The data of pages is below the base path.
    expect(isOwn('/docs/_next/data/development/users.json', '/docs', assetPrefix)).toBe(true)
    expect(isOwn('/_next/data/development/users.json', '', assetPrefix)).toBe(true)
    expect(isOwn('/assets-v1/_next/data/development/users.json', '', assetPrefix)).toBe(false)
    expect(isOwn('/api/users', '', assetPrefix)).toBe(false)
  },
)

test('with a base path and an asset prefix that are encoded in URLs', () => {
  expect(isOwn('/b%C3%BCcher/_next/data/development/users.json', '/bücher')).toBe(true)
  expect(isOwn('/b%C3%BCcher/_next/static/a.json', '', '/bücher')).toBe(true)
  // Next.js itself reports an invalid one.
  expect(isOwn('/_next/static/a.json', '', 'http://[')).toBe(true)
})

test.each([
  ['/assets/_next/static/development/_devPagesManifest.json', true],
  ['/docs/_next/data/development/users.json', true],
  ['/__nextjs_font/geist-latin.woff2', true],
  ['/docs/users?_rsc=1x2y3', true],
  ['/docs/api/users', false],
])('the policy for unhandled requests ignores what Next.js requests: %s', (path, isIgnored) => {
  const text = createPagePolicy(describeOwnRequests('/docs', '/assets'), 'warn').replace(/^import .*$/m, '')
  const location = { origin: 'http://localhost:3000' }
  const withPolicy = runInNewContext(`${text}\nwithPolicy`, { location, URL, isCommonAssetRequest: () => false }) as (
    module: object,
  ) => { onUnhandledRequest(request: Request, print: object): void }
  let warnings = 0
  const print = { warning: () => (warnings += 1) }
  withPolicy({}).onUnhandledRequest(new Request(`http://localhost:3000${path}`), print)
  withPolicy({}).onUnhandledRequest(new Request(`https://example.com${path}`), print)
  expect(warnings).toBe(isIgnored ? 1 : 2)
})

test.each([
  '/api/users',
  '/api/_next/users',
  '/api/users?from=/_next/data/a',
  '/api/users?name=_rsc=',
  '/api/users?page=2#&_rsc=1',
])('the app requests %s', (path) => {
  expect(isOwn(path)).toBe(false)
})
