import { expect, test } from 'vitest'

import type { InspectedBody } from './kept-body.ts'
import { searchDetails } from './search-details.ts'
import type { RequestDetails } from './shared-data.ts'

const body = (text: string | null, more: Partial<InspectedBody> = {}): InspectedBody => ({
  type: 'application/json',
  size: text?.length ?? 0,
  isComplete: true,
  text,
  base64: null,
  ...more,
})

const details: RequestDetails = {
  headers: {
    request: [
      ['accept', 'text/html'],
      ['x-trace', 'abc.def'],
    ],
    response: [['server', 'Apache']],
  },
  bodies: { request: body('{"note":"İstanbul, Ada"}'), response: body('{\n  "name": "Ada",\n  "tag": "<b>"\n}') },
  frames: [],
}

const places = (word: string, of = details): string[] =>
  searchDetails('r', of, [word]).matches.map(({ place, found }) => `${place}: ${found}`)

test('each place is searched, ignoring case', () => {
  expect(places('ada')).toEqual(['response body: Ada'])
  expect(places('istanbul')).toEqual([])
  expect(places('stanbul, ada')).toEqual(['request body: stanbul, Ada'])
  expect(places('x-trace: ABC')).toEqual(['request headers: x-trace: abc'])
  expect(places('apache')).toEqual(['response headers: Apache'])
})

test('characters of regular expressions are text', () => {
  expect(places('.*')).toEqual([])
  expect(places('abc.def')).toEqual(['request headers: abc.def'])
  expect(places('abcxdef')).toEqual([])
  for (const word of ['(', '[a', '\\', '{2', '$', '^', '|', '+', '?']) {
    expect(places(word, { ...details, bodies: { request: null, response: body(`a${word}z`) } })).toEqual([
      `response body: ${word}`,
    ])
  }
})

test('the text around a match is one line with a limit', () => {
  const text = `${'a'.repeat(500)}\n\t needle \n${'z'.repeat(500)}`
  const [match] = searchDetails('r', { ...details, bodies: { request: body(text), response: null } }, [
    'needle',
  ]).matches
  expect(match).toMatchObject({ word: 'needle', found: 'needle' })
  expect(match?.before).toMatch(/^a{17} $/)
  expect(match?.after).toMatch(/^ z+$/)
  expect(match?.after.length).toBeLessThanOrEqual(100)
})

test('messages are searched, the newest first', () => {
  const frame = (id: number, text: string | null) => ({ id, direction: 'sent', at: 1, size: 1, text }) as const
  const connection: RequestDetails = {
    headers: null,
    bodies: { request: null, response: null },
    frames: [frame(1, 'hello one'), frame(2, null), frame(3, 'hello two')],
  }
  expect(searchDetails('c', connection, ['hello']).matches).toMatchObject([{ place: 'messages', after: ' two' }])
})

test('bytes that are not text are not searched', () => {
  const bytes = body(null, { type: 'image/png', base64: 'QWRh', size: 3 })
  expect(places('QWRh', { ...details, bodies: { request: null, response: bytes } })).toEqual([])
})

test('a result is final unless a body is still arriving', () => {
  const isFinal = (response: InspectedBody | null): boolean =>
    searchDetails('r', { ...details, bodies: { request: null, response } }, ['x']).isFinal
  expect(isFinal(null)).toBe(true)
  expect(isFinal(body('abc'))).toBe(true)
  expect(isFinal(body('abc', { isComplete: false }))).toBe(false)
  // The rest of a body above the limit is never kept.
  expect(isFinal(body('abc', { isComplete: false, size: 100_000 }))).toBe(true)
})
