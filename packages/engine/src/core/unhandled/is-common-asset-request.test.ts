import { expect, it, vi } from 'vitest'

import { isCommonAssetRequest } from './is-common-asset-request.ts'

const isAsset = (url: string): boolean => isCommonAssetRequest(new Request(url))

it.each([
  'https://app.test/main.js',
  'https://app.test/main.MJS?v=5#top',
  'https://app.test/src/app.tsx',
  'https://app.test/style.css',
  'https://app.test/style.module.scss',
  'https://app.test/index.html',
  'https://app.test/image.jpeg',
  'https://app.test/font.woff2',
  'https://app.test/favicon.ico',
  'https://app.test/main.js.map',
  'https://app.test/data.json',
  'https://app.test/module.wasm',
  'https://app.test/node_modules/react/index',
  'https://app.test/@vite/client',
  'https://app.test/@id/virtual:module',
  'https://app.test/@fs/home/user/project/main',
  'https://app.test/@react-refresh',
  'https://app.test/_rspack/lazy/trigger',
  'http://localhost:41234/lazy-compilation-using-main.js%21',
  'http://localhost:3000/__tsd/console-pipe',
  'http://localhost:3000/__open-in-editor?file=src/main.ts:1',
  'http://localhost:3000/__nextjs_original-stack-frames',
  'https://fonts.googleapis.com/css2?family=Inter',
])('%s is an asset', (url) => {
  expect(isAsset(url)).toBe(true)
})

it('a file is an asset', () => {
  expect(isCommonAssetRequest({ url: 'file:///home/user/index' })).toBe(true)
})

it.each([
  'https://app.test/',
  'https://app.test/user',
  'https://app.test/user/5.5',
  'https://app.test/user?file=main.js',
  'https://app.test/user#main.css',
  'https://app.test/main.js/user',
  'https://app.test/js',
  'https://app.test/@idea',
  'https://app.test/lazy',
  'http://localhost:3000/__/auth/handler',
  'https://api.test/__api/users',
  'http://localhost:3000/user/__self',
  'https://app.test/_api/user',
  'https://app.test/@viteless',
  'https://app.test/user@vitesse.test',
  'https://fonts.googleapis.com.app.test/css2',
])('%s is not an asset', (url) => {
  expect(isAsset(url)).toBe(false)
})

it('a tool of the dev server on the origin of the page is an asset', () => {
  // In Chromium, the page of the test has an origin.
  if (!('location' in globalThis))
    vi.stubGlobal('location', { href: 'https://app.test/users', origin: 'https://app.test' })
  expect(isAsset(`${location.origin}/__tsd/console-pipe`)).toBe(true)
  expect(isAsset('https://api.test/__api/users')).toBe(false)
  vi.unstubAllGlobals()
})
