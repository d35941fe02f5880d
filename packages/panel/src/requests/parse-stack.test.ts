import { expect, test } from 'vitest'

import { parseStack } from './parse-stack.ts'

test('reads the frames of Chromium', () => {
  const stack = `Error: Boom
    at load (http://localhost:5173/src/users.ts?t=1:3:9)
    at async HttpHandler.resolver (http://localhost:5173/src/handlers.ts:12:5)
    at http://localhost:5173/node_modules/.vite/deps/@understudy_engine.js?v=1:40:2
    at new Promise (<anonymous>)`
  expect(parseStack(stack)).toEqual([
    { name: 'load', place: { file: 'http://localhost:5173/src/users.ts?t=1', line: 3, column: 9 }, isEngine: false },
    {
      name: 'HttpHandler.resolver',
      place: { file: 'http://localhost:5173/src/handlers.ts', line: 12, column: 5 },
      isEngine: false,
    },
    {
      name: null,
      place: { file: 'http://localhost:5173/node_modules/.vite/deps/@understudy_engine.js?v=1', line: 40, column: 2 },
      isEngine: true,
    },
  ])
})

test('reads the frames of Firefox', () => {
  expect(parseStack('resolver@http://localhost/handlers.ts:2:11\n@http://localhost/main.ts:1:1')).toMatchObject([
    { name: 'resolver', place: { file: 'http://localhost/handlers.ts', line: 2, column: 11 } },
    { name: null, place: { file: 'http://localhost/main.ts', line: 1, column: 1 } },
  ])
})

test('leaves out lines that are not frames', () => {
  expect(parseStack('Error: a (b) at c\nmore text')).toEqual([])
})

test('recognizes the engine as the caller of a resolver, also in the chunks of a build tool', () => {
  const stack = `Error
    at resolver (http://localhost/src/handlers.ts:1:1)
    at runResolver (http://localhost/node_modules/.vite/deps/chunk-a.js:2:2)
    at askHandlers (http://localhost/node_modules/.vite/deps/chunk-b.js:3:3)`
  expect(parseStack(stack).map(({ isEngine }) => isEngine)).toEqual([false, true, true])
})

test.each([
  [
    '    at load (http://localhost/src/(shop)/@modal/[id]/a.ts:1:2)',
    'load',
    'http://localhost/src/(shop)/@modal/[id]/a.ts',
  ],
  ['    at http://localhost/src/(shop)/a.ts:1:2', null, 'http://localhost/src/(shop)/a.ts'],
  ['    at async http://localhost/src/(shop)/a.ts:1:2', null, 'http://localhost/src/(shop)/a.ts'],
  ['    at async load (/app/(shop)/a.ts:1:2)', 'load', '/app/(shop)/a.ts'],
  ['    at load (/my apps (copy)/bücher/a.ts:1:2)', 'load', '/my apps (copy)/bücher/a.ts'],
  ['    at /my apps (copy)/a.ts:1:2', null, '/my apps (copy)/a.ts'],
  ['    at Object.get [as load] (C:\\my apps (copy)\\a.ts:1:2)', 'Object.get [as load]', 'C:\\my apps (copy)\\a.ts'],
  ['    at C:\\my apps (copy)\\a.ts:1:2', null, 'C:\\my apps (copy)\\a.ts'],
  ['    at eval (eval at <anonymous> (/app/(shop)/a.ts:1:2), <anonymous>:3:4)', 'eval', '/app/(shop)/a.ts'],
  ['    at eval at load (/app/(shop)/a.ts:1:2), <anonymous>:3:4', null, '/app/(shop)/a.ts'],
  ['    at eval (eval at <anonymous> (eval at load (/app/a.ts:1:2)), <anonymous>:3:4)', 'eval', '/app/a.ts'],
  ['load@http://localhost/src/(shop)/@modal/a.ts:1:2', 'load', 'http://localhost/src/(shop)/@modal/a.ts'],
  ['async*load@http://localhost/@fs/a.ts:1:2', 'async*load', 'http://localhost/@fs/a.ts'],
])('reads the place of "%s"', (line, name, file) => {
  expect(parseStack(line)).toEqual([{ name, place: { file, line: 1, column: 2 }, isEngine: false }])
})

test('a message of any length is read in linear time', () => {
  // Expressions that backtrack would exceed the time-out of the test by far.
  for (const piece of ['@', 'at a (@', 'a (', ':1', ' ', 'eval at (', 'eval at a (']) {
    for (const end of [':1:2', ':1:2)', ', <anonymous>:1:2)', '']) {
      for (const start of ['', '    at ']) {
        for (const length of [900, 1_000_000]) {
          const line = (start + piece.repeat(length / piece.length)).slice(0, length) + end
          const frames = parseStack(`Error: ${line}\n${line}\n    at load (http://localhost/src/users.ts:3:9)`)
          expect(frames.at(-1)).toMatchObject({ name: 'load', place: { line: 3, column: 9 } })
        }
      }
    }
  }
})
