import { runInNewContext } from 'node:vm'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import { readStyle, toLiteral } from './code-style.ts'
import type { Exchange } from './exchange.ts'
import { toHandlerCode } from './handler-code.ts'

const write = (given: Partial<Exchange>): string =>
  toHandlerCode(createExchange(given), '/a').write(readStyle(''), '', (name) => name)

test.each<[name: string, given: Partial<Exchange>, code: string]>([
  ['of JSON', {}, `http.get('/a', () => HttpResponse.json({ id: 1 }))`],
  ['with a status', { status: 201 }, `http.get('/a', () => HttpResponse.json({ id: 1 }, { status: 201 }))`],
  ['without a body', { text: null, status: 404 }, `http.get('/a', () => new HttpResponse(null, { status: 404 }))`],
  ['that has no body by its status', { status: 204 }, `http.get('/a', () => new HttpResponse(null, { status: 204 }))`],
  [
    'of another type of JSON',
    { type: 'application/problem+json', text: '1' },
    `http.get('/a', () => HttpResponse.json(1, { headers: { 'Content-Type': 'application/problem+json' } }))`,
  ],
  [
    'with edited headers, one of them a cookie',
    {
      text: '[]',
      headers: [
        ['X-A', "it's"],
        ['Set-Cookie', 'id=1'],
      ],
    },
    `http.get('/a', () => HttpResponse.json([], { headers: { 'X-A': 'it\\'s', 'Set-Cookie': 'redacted' } }))`,
  ],
  [
    'with two headers of one name',
    {
      headers: [
        ['Link', '</a>; rel=prev'],
        ['X-A', '1'],
        ['link', '</b>; rel=next'],
      ],
    },
    `http.get('/a', () => HttpResponse.json({ id: 1 }, {
  headers: [
    ['Link', '</a>; rel=prev'],
    ['X-A', '1'],
    ['link', '</b>; rel=next'],
  ],
}))`,
  ],
  [
    'of JSON with numbers that JavaScript cannot represent',
    {
      text: '{"id": 12345678901234567890, "name": "-12345678901234567890", "min": -9007199254740993, "size": 9007199254740991, "ratio": 0.1234567890123456789}',
    },
    `http.get('/a', () => HttpResponse.text('{"id":12345678901234567890,"name":"-12345678901234567890","min":-9007199254740993,"size":9007199254740991,"ratio":0.12345678901234568}', { headers: { 'Content-Type': 'application/json' } }))`,
  ],
  [
    'of such JSON with a secret',
    { text: '{"id":12345678901234567890,"user":{"password":"a \\" 1"},"token":5}' },
    `http.get('/a', () => HttpResponse.text('{"id":12345678901234567890,"user":{"password":"redacted"},"token":0}', { headers: { 'Content-Type': 'application/json' } }))`,
  ],
  [
    'of invalid JSON',
    { text: '{"a' },
    `http.get('/a', () => HttpResponse.text('{"a', { headers: { 'Content-Type': 'application/json' } }))`,
  ],
  ['of JSON with a byte order mark', { text: '\uFEFF{"id":1}' }, `http.get('/a', () => HttpResponse.json({ id: 1 }))`],
  ['of HTML', { type: 'text/html; charset=utf-8', text: '<p>' }, `http.get('/a', () => HttpResponse.html('<p>'))`],
  [
    'of bytes',
    { type: 'image/png', text: null, base64: 'AP8=', status: 201 },
    `http.get('/a', () => HttpResponse.arrayBuffer(Uint8Array.from(atob('AP8='), (char) => char.charCodeAt(0)), { status: 201, headers: { 'Content-Type': 'image/png' } }))`,
  ],
  [
    'of bytes without a type',
    { type: '', text: null, base64: 'AP8=' },
    `http.get('/a', () => HttpResponse.arrayBuffer(Uint8Array.from(atob('AP8='), (char) => char.charCodeAt(0))))`,
  ],
  ['of another method', { method: 'PROPFIND', text: null }, `http.all('/a', () => new HttpResponse(null))`],
])('writes a response %s', (_, given, code) => {
  expect(write(given)).toBe(code)
})

test('says what was redacted and shortened', () => {
  const text = JSON.stringify({ token: 'a', users: [1, 2, 3, 4] })
  expect(toHandlerCode(createExchange({ text, headers: [['Authorization', 'a']] }), '/a').notes).toEqual([
    'Redacted: token, the header Authorization.',
    'Shortened users to 3 of 4 items.',
  ])
})

test('a literal evaluates to the value, in each style', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom("'", '"', '\\', "\\'", '\u2028', '__proto__', '${a}'),
  )
  const { value: json } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
      fc.constantFrom(null, true, false),
      fc.array(tie('value')),
      fc.array(fc.tuple(text, tie('value'))).map((entries) => Object.fromEntries(entries) as unknown),
    ),
  }))
  const style = fc.record({
    lineBreak: fc.constantFrom('\n' as const, '\r\n' as const),
    indent: fc.constantFrom('\t', '  ', '    '),
    quote: fc.constantFrom('"' as const, "'" as const),
    semicolon: fc.constant('' as const),
  })
  fc.assert(
    fc.property(json, style, (value, given) => {
      const evaluated: unknown = runInNewContext(`(${toLiteral(value, given, '')})`)
      expect(JSON.stringify(evaluated)).toBe(JSON.stringify(value))
    }),
  )
})
