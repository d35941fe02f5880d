import { expect, test } from 'vitest'

import { findCall, readCall } from './find-call.ts'

const source = `interface Boat { name: string }

export const meta = { handlers: [
  http.get('/boats', () => null),
  http.post<never, Boat>(
    '/boats', () => null),
] }
// http.get('/other')
export const story = { handlers: [http.get('/boats', () => 1), http.get(/boats/, () => 1), ws.link('wss://a')] }
`

const generated = `const meta = {
  handlers: [http.get("/boats", () => null), http.post("/boats", () => null)]
};
const story = {
  handlers: [
    http.get("/boats", () => 1),
    http.get(/boats/, () => 1),
    ws.link("wss://a"),
  ]
};
story.source = "http.get('/boats', () => 1), ws.link('wss://a')";
`

const place = (text: string, of: string, turn = 0): [line: number, column: number] => {
  const offset = of.split(text, turn + 1).join(text).length
  const before = of.slice(0, offset).split('\n')
  return [before.length, (before.at(-1) ?? '').length + 1]
}

test.each<[name: string, text: string, turn: number, original: string, originalTurn: number]>([
  ['the first of two alike', 'get("/boats"', 0, "get('/boats'", 0],
  ['the second of two alike', 'get("/boats"', 1, "get('/boats'", 1],
  ['one with types', 'post(', 0, 'post<', 0],
  ['another function', 'link(', 0, 'link(', 0],
])('finds %s', (_name, text, turn, original, originalTurn) => {
  const [line, column] = place(text, generated, turn)
  const [originalLine, originalColumn] = place(original, source, originalTurn)
  expect(findCall(generated, source, line, column)).toEqual({ line: originalLine, column: originalColumn })
})

test('returns undefined if it is not certain', () => {
  const at = (text: string, turn = 0): [number, number] => place(text, generated, turn)
  expect(findCall(generated, source, ...at('get(/boats/'))).toBeUndefined()
  expect(findCall(generated, source + "http.get('/boats')\n".repeat(2), ...at('get("/boats"'))).toBeUndefined()
  expect(findCall(generated, '', ...at('get("/boats"'))).toBeUndefined()
  expect(findCall(generated, source, 999, 1)).toBeUndefined()
})

test('a long text with many escapes, as compilers write a schema, is read in linear time', () => {
  // An expression that backtracks would exceed the time-out of the test.
  const schema = String.raw`type Query {\n` + String.raw`  user: User\n`.repeat(100)
  expect(readCall(`schema("${schema}")`, 0)).toBeUndefined()
  expect(readCall(String.raw`schema("a\n\"b\"")`, 0)).toEqual({ name: 'schema', literal: String.raw`a\n\"b\"` })
  expect(readCall('schema(`a\nb`)', 0)).toEqual({ name: 'schema', literal: 'a\nb' })
})
