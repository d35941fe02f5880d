import { expect, test } from 'vitest'

import { locateError, shortenPlace } from './locate-error.ts'

test('finds the place of an error in its stack', () => {
  expect(locateError(new Error('wrong'))).toMatch(/locate-error\.browser\.test\.ts.*:\d+:\d+$/)
})

test('finds the place in a module that does not parse', async () => {
  const url = URL.createObjectURL(new Blob(['\n\nexport const text = '], { type: 'text/javascript' }))
  const error: unknown = await import(/* @vite-ignore */ url).catch((reason: unknown) => reason)
  expect((error as Error).stack).not.toContain('blob:')
  expect(locateError(error as Error)).toBe(`${url}:3:21`)
})

test('names the line of the project that calls a package', () => {
  const error = new Error('wrong')
  const dependency = 'at read (http://localhost:5173/node_modules/.vite/deps/faker.js?v=1:1:2)'
  error.stack = `Error: wrong\n    ${dependency}\n    at http://localhost:5173/src/mocks/handlers.ts:3:21`
  expect(locateError(error)).toBe('http://localhost:5173/src/mocks/handlers.ts:3:21')
  error.stack = `Error: wrong\n    ${dependency}`
  expect(locateError(error)).toBe('http://localhost:5173/node_modules/.vite/deps/faker.js?v=1:1:2')
})

test.each(['webpack://app/./src/mocks/handlers.js?:3:21', 'webpack-internal:///./src/mocks/handlers.js:3:21'])(
  'names a module that webpack evaluates by its file: %s',
  (name) => {
    const error = new Error('wrong')
    error.stack = `Error: wrong\n    at eval (${name})\n    at main.js (http://localhost:8080/main.js:7:1)`
    const place = locateError(error)
    expect(place).toBe(name)
    expect(shortenPlace(String(place))).toBe('./src/mocks/handlers.js:3:21')
  },
)

test.each(['http://localhost:5173/src/(shop)/%5Bid%5D/@modal.ts?t=1', 'http://[fd00:1:2::3]:5173/src/handlers.ts'])(
  'finds the place in %s',
  (file) => {
    const error = Object.assign(new Error('wrong'), { stack: `Error: wrong\n    at load (${file}:3:21)` })
    expect(locateError(error)).toBe(`${file}:3:21`)
  },
)
