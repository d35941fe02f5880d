import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import type { Exchange } from './exchange.ts'
import { toHandlerCode } from './handler-code.ts'
import { replaceResolver } from './replace-resolver.ts'

const imported = `import { http, graphql, HttpResponse } from 'msw'\n`

function replace(text: string, given: Partial<Exchange> = {}): ReturnType<typeof replaceResolver> {
  const exchange = createExchange({ header: 'GET /api/users', line: 3, ...given })
  return replaceResolver('handlers.ts', text, exchange, toHandlerCode(exchange, '/api/users'))
}

/** A file whose third line begins with the items. */
const write = (items: string, head = imported): string => `${head}export const handlers = [\n  ${items}\n]\n`

const isCode = /^The resolver's own code is replaced: /

test.each<[name: string, before: string, after: string, note: RegExp | null]>([
  [
    'an expression',
    `http.get('/api/users', () => HttpResponse.json([])), // All.`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 })), // All.`,
    null,
  ],
  [
    'a block that returns',
    `http.get("/api/users", () => {\n    return HttpResponse.json(users)\n  })`,
    `http.get("/api/users", () => HttpResponse.json({ id: 1 }))`,
    null,
  ],
  [
    'options, types and comments',
    `http.get<{ id: string }>(/* path */ \`/api/users\`, /* resolver */ (async () => new HttpResponse(null)), /* once */ { once: true }),`,
    `http.get<{ id: string }>(/* path */ \`/api/users\`, /* resolver */ (() => HttpResponse.json({ id: 1 })), /* once */ { once: true }),`,
    null,
  ],
  [
    'bytes that the panel saved, as a formatter left them',
    `http.get('/api/users', () =>\n    HttpResponse.arrayBuffer(\n      Uint8Array.from(\n        atob(\n          "AP8=",\n        ),\n        (char) => char.charCodeAt(0),\n      ),\n      { status: 201 },\n    ),\n  ),`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }),\n  ),`,
    null,
  ],
  [
    'bytes that a function creates',
    `http.get('/api/users', () => HttpResponse.arrayBuffer(Uint8Array.from(atob(image), (char) => char.charCodeAt(0))))`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`,
    isCode,
  ],
  [
    'a function with code',
    `http.get('/api/users', async function () {\n    await delay()\n    return HttpResponse.json([])\n  })`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`,
    /: 4 lines\.$/,
  ],
  [
    'a resolver that reads the request',
    `http.get('/api/users', ({ params }) => HttpResponse.json(params))`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`,
    isCode,
  ],
  [
    'a resolver that calls a function',
    `http.get('/api/users', () => HttpResponse.json({ all: [list()] }))`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`,
    isCode,
  ],
  [
    'a comment in the resolver',
    `http.get('/api/users', () => HttpResponse.json([/* None. */]))`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`,
    isCode,
  ],
  [
    'a generator',
    `http.get('/api/users', function* () { return HttpResponse.json([]) })`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`,
    isCode,
  ],
  [
    'a resolver that is written elsewhere',
    `http.get('/api/users', answer)`,
    `http.get('/api/users', () => HttpResponse.json({ id: 1 }))`,
    /written elsewhere/,
  ],
])('replaces %s', (_, before, after, note) => {
  const result = replace(write(before))
  expect(result?.text).toBe(write(after))
  expect(result?.notes).toHaveLength(note ? 1 : 0)
  expect(result?.notes.join('')).toMatch(note ?? /^$/)
})

test('an import that is missing is added, and an alias is used', () => {
  const head = `import { http as h } from 'msw'\n`
  expect(replace(write(`h.get('/api/users', answer),`, head))?.text).toBe(
    write(
      `h.get('/api/users', () => HttpResponse.json({ id: 1 })),`,
      `import { http as h, HttpResponse } from 'msw'\n`,
    ),
  )
})

test('an operation of GraphQL is replaced', () => {
  const exchange = createExchange({ method: 'POST', name: 'query GetUser', header: 'query GetUser', line: 3 })
  const text = write(`graphql.mutation('GetUser', b), graphql.query('GetUser', a)`)
  expect(replaceResolver('handlers.ts', text, exchange, toHandlerCode(exchange, 'GetUser'))?.text).toBe(
    write(`graphql.mutation('GetUser', b), graphql.query('GetUser', () => HttpResponse.json({ id: 1 }))`),
  )
})

const found = `http.get('/api/users', () => HttpResponse.json([])),`

test.each<[name: string, text: string, given?: Partial<Exchange>]>([
  ['is written twice', write(`${found} ${found}`)],
  ['stands in another line', write(found), { line: 4 }],
  ['is at an unknown place', write(found), { line: null }],
  ['did not answer', write(found), { header: null }],
  ['answered another method', write(found), { method: 'HEAD', header: 'GET /api/users' }],
  ['comes after handlers of other files', write(`...others, ${found}`)],
  ['comes after a handler in a wrapper', write(`wrap(http.get('/api/users', a)), ${found}`)],
  ['answers all methods', write(`http.all('/api/users', a)`), { header: 'ALL /api/users' }],
  ['has an expression as its path', write(`http.get(/users/, a)`), { header: 'GET /users/' }],
  ['has a path with a parameter of code', write('http.get(`/api/${users}`, a)')],
  ['is chosen by a computed name', write(`http['get']('/api/users', a)`)],
  ['is in a scenario', `${imported}export const handlers = []\nexport const scenarios = { a: [${found}] }`],
  ['is chosen by a variable', write(`http[get]('/api/users', a)`)],
  ['has no resolver', write(`http.get('/api/users')`)],
  ['has arguments of another list', write(`http.get('/api/users', ...rest)`)],
  ['belongs to something that is not imported', write(found, `const http = own()\n`)],
  ['belongs to a nested array', write(`[${found}]`)],
  ['is named as in a prototype', write(found), { header: '__proto__ constructor', method: '__proto__' }],
])('a handler that %s is not replaced', (_, text, given) => {
  expect(replace(text, given)).toBe(undefined)
})

test('the rest of a file stays the same', () => {
  const space = fc.constantFrom('', ' ', '\t', '\n', '\r\n', ' // ), (\n', '/* ] */')
  const options = fc.constantFrom('', ',', ', { once: true }', ', /* once */ { once: true },')
  const resolver = fc.constantFrom(
    '() => HttpResponse.json([])',
    'answer',
    '({ params }) => {\n  return\r\n}',
    'make(() => [")"])',
  )
  fc.assert(
    fc.property(fc.array(space, { minLength: 5, maxLength: 5 }), options, resolver, (gaps, after, code) => {
      const [a = '', b = '', c = '', d = '', e = ''] = gaps
      const before = `${imported}export const handlers = [${a}http.get('/', a),${b}http.get(${c}'/api/users'${d},${e}`
      const rest = `${after}), ...others]// End.`
      const line = `${imported}export const handlers = [${a}http.get('/', a),${b}`.split('\n').length
      expect(replace(before + code + rest, { line })?.text.replace(/\r?\n/g, '\n')).toBe(
        `${before}() => HttpResponse.json({ id: 1 })${rest}`.replace(/\r?\n/g, '\n'),
      )
      expect(replace(before + code + rest, { line })?.text.startsWith(before)).toBe(true)
      expect(replace(before + code + rest, { line })?.text.endsWith(rest)).toBe(true)
    }),
    { numRuns: 300 },
  )
})
