import { expect, test } from 'vitest'

import { addWrittenPlaces, importsEngine } from './written-places.ts'

test.each([
  `import { http } from '@understudy/engine'`,
  `import { http } from "@understudy/msw/http"`,
  `import { http } from "msw"`,
  `import { http } from "/node_modules/.vite/deps/@understudy_engine.js?v=1"`,
  `import { http } from "/@fs/app/node_modules/.vite/deps/msw.js?v=1"`,
  `import { http } from "/node_modules/@understudy/engine/dist/index.js"`,
])('%s imports the engine', (code) => {
  expect(importsEngine(code)).toBe(true)
})

test.each([
  `const text = '@understudy/engine'`,
  `import { http } from 'node:http'`,
  `import { x } from './msw-like.js'`,
  `import { x } from '@understudy/panel'`,
])('%s does not import the engine', (code) => {
  expect(importsEngine(code)).toBe(false)
})

/** The first line of the module is the third of the source. */
const map = { version: 3, sources: ['handlers.ts'], names: [], mappings: 'AAEA' }

test('the table names the line of the source, for the position of the object and of the method', () => {
  const code = 'http.get("/user", resolve)\nconst other = 1'
  const changed = addWrittenPlaces(code, map)
  expect(changed?.startsWith(`${code}\n`)).toBe(true)
  expect(changed).toContain('{"1:1":"3:1","1:6":"3:1"}')
})

test('the table is before the code of the module, which may wait, unless the first line creates a handler', () => {
  const code = 'import { http } from "msw"\nhttp.get("/user?a", resolve)\nawait wait()'
  const changed = addWrittenPlaces(code, map)
  expect(changed).toMatch(/^;[^\n]*\{"2:1":"3:1","2:6":"3:1"\};import \{ http \} from "msw"\n/)
  expect(changed?.endsWith(code)).toBe(true)
})

test('a correction has precedence over the source map', () => {
  const changed = addWrittenPlaces('http.get("/user")', map, () => ({ line: 7, column: 3 }))
  expect(changed).toContain('{"1:1":"7:3","1:6":"7:3"}')
})

test('a module without handlers does not change', () => {
  expect(addWrittenPlaces('const answer = 1', map)).toBeUndefined()
})

test('a long word, such as a file in hexadecimal digits, is read in linear time', () => {
  // An expression that backtracks would exceed the time-out of the test.
  const word = 'a1'.repeat(1_000_000)
  const code = `const file = "${word}", ${word}$ = 1; http . get("/user")`
  expect(addWrittenPlaces(code, map)).toContain(`"1:${code.indexOf('http') + 1}":"3:1"`)
  expect(addWrittenPlaces(code, map)).toContain(`"1:${code.indexOf('get(') + 1}":"3:1"`)
})
