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

test.each([
  'import { http } from "msw"\nhttp.get("/user?a", resolve)\nawait wait()',
  "import { http } from 'msw';\nhttp.get('/user?a', resolve)",
  'import { http } from "msw"\r\nhttp.get("/user?a", resolve)\r\n',
  'import {\n  http,\n} from "msw"\nhttp.get("/user?a", resolve)',
  'import "msw"\nhttp.get("/user?a", resolve)',
  'import data from "./data.json" with { type: "json" };\nhttp.get("/user?a", resolve)',
  '\n// A comment: import x from "y"\n\nimport { http } from "msw"\nhttp.get("/user?a", resolve)',
])('the table is behind the first import, so that the columns of all lines stay: %j', (code) => {
  const changed = addWrittenPlaces(code, map)!
  const lines = code.split(/\r?\n/)
  const changedLines = changed.split(/\r?\n/)
  expect(changedLines).toHaveLength(lines.length)
  expect(changedLines.map((line, index) => line.startsWith(lines[index]!))).not.toContain(false)
  const tables = changedLines.filter((line) => line.includes('__understudyPlaces'))
  expect(tables).toHaveLength(1)
  expect(tables[0]).toMatch(/(?:"|'|\}|;);\(globalThis\.__understudyPlaces/)
})

test.each([
  'throw new Error("mine")\nhttp.get("/user?a", resolve)',
  'export const text = `\nimport { http } from "msw"\n`\nhttp.get("/user?a", resolve)',
  'import { http } from "msw"; http.get("/user?a", resolve)\n',
  'import { http } from "msw" // a comment\nhttp.get("/user?a", resolve)',
  'import.meta.env.X = "a"\nhttp.get("/user?a", resolve)',
  'import("./later.js")\nhttp.get("/user?a", resolve)',
])('without such an import, the table is at the end: %j', (code) => {
  expect(addWrittenPlaces(code, map)?.startsWith(`${code}\n;(globalThis`)).toBe(true)
})

test('without such an import, the table is before the code of a module that may wait', () => {
  const code = 'const path = "/user"\nhttp.get(path, resolve)\nawait wait()'
  const changed = addWrittenPlaces(code, map)
  expect(changed).toMatch(/^;[^\n]*\{"2:1":"3:1","2:6":"3:1"\};const path/)
  expect(changed?.endsWith(code)).toBe(true)
})

test('lines and comments before code are read in linear time', () => {
  for (const start of ['\n', '//\n', ' \n', 'import ', 'import {', '\t']) {
    const code = `${start.repeat(500_000)} http.get("/user", resolve)`
    expect(addWrittenPlaces(code, map)?.startsWith(code)).toBe(true)
  }
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
