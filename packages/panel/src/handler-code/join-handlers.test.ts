import { parse } from '@babel/parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import { readStyle } from './code-style.ts'
import type { Exchange } from './exchange.ts'
import { insertHandler } from './insert-handler.ts'
import { joinHandlers } from './join-handlers.ts'

const exchange = (path: string, given: Partial<Exchange> = {}): Exchange =>
  createExchange({ url: `http://localhost${path}`, ...given })
const source = `import { http } from 'msw'\r\n\r\nexport const handlers = [ // All.\r\n\thttp.get('/a', a)\r\n]`

test('several handlers are inserted in their order, and the rest of the file stays', () => {
  const { handler, paths } = joinHandlers(
    [exchange('/b'), exchange('/c', { method: 'POST', status: 201 }), exchange('/d', { name: 'query GetUser' })],
    null,
  )
  expect(paths).toEqual(['As requested'])
  expect(handler.header).toBe('3 handlers')
  expect(insertHandler('handlers.ts', source, handler)).toBe(
    `import { http, HttpResponse, graphql } from 'msw'\r\n\r\nexport const handlers = [ // All.\r\n` +
      `\thttp.get('/b', () => HttpResponse.json({ id: 1 })),\r\n` +
      `\thttp.post('/c', () => HttpResponse.json({ id: 1 }, { status: 201 })),\r\n` +
      `\tgraphql.query('GetUser', () => HttpResponse.json({ id: 1 })),\r\n` +
      `\thttp.get('/a', a)\r\n]`,
  )
})

const codeOf = (exchanges: readonly Exchange[], wanted: string | null = null): string =>
  joinHandlers(exchanges, wanted).handler.write(readStyle(''), '', (name) => name)

test('of exchanges with the same method and path, the last one is used', () => {
  const exchanges = [
    exchange('/a?page=1', { text: '1' }),
    exchange('/b'),
    exchange('/a?page=2', { text: '2' }),
    exchange('/a', { text: '3', method: 'PUT' }),
  ]
  expect(codeOf(exchanges)).toBe(
    `http.get('/a', () => HttpResponse.json(2)),\nhttp.get('/b', () => HttpResponse.json({ id: 1 })),\n` +
      `http.put('/a', () => HttpResponse.json(3))`,
  )
  expect(joinHandlers(exchanges, null).handler.notes).toEqual(['GET /a: 2 responses, of which the last one is saved.'])
})

test('paths with parameters are offered, and come after those without', () => {
  const exchanges = [
    exchange('/users/1', { text: '1' }),
    exchange('/users/2', { text: '2', method: 'DELETE' }),
    exchange('/users/2', { text: '2' }),
    exchange('/users/me', { text: '3' }),
  ]
  expect(joinHandlers(exchanges, null)).toMatchObject({
    paths: ['As requested', 'With parameters'],
    path: 'As requested',
    handler: { header: '4 handlers', notes: [] },
  })
  expect(joinHandlers(exchanges, 'With parameters')).toMatchObject({
    path: 'With parameters',
    handler: { header: '3 handlers' },
  })
  expect(codeOf(exchanges, 'With parameters').split(',\n')).toEqual([
    `http.delete('/users/2', () => HttpResponse.json(2))`,
    `http.get('/users/me', () => HttpResponse.json(3))`,
    `http.get('/users/:id', () => HttpResponse.json(2))`,
  ])
  expect(joinHandlers([exchange('/a')], 'With parameters').path).toBe('As requested')
})

test('a handler for all methods comes last', () => {
  expect(codeOf([exchange('/a', { method: 'PROPFIND' }), exchange('/a')])).toMatch(/^http\.get.*\nhttp\.all/)
})

test('notes name their handlers', () => {
  const { notes } = joinHandlers(
    [exchange('/a', { text: '{"token":"abc"}' }), exchange('/b', { text: '[1,2,3,4]' })],
    null,
  ).handler
  expect(notes).toEqual(['GET /a: Redacted: token.', 'GET /b: Shortened the list to 3 of 4 items.'])
})

test('any number of handlers is one piece of valid code at the start of the array', () => {
  const path = fc.stringMatching(/^[\w'"`$:*()\\-]{0,8}$/).map((each) => `/${each}`)
  const text = fc.oneof(fc.json(), fc.constantFrom("'", '`${x}`', '\u2028', '*/', '</script>'))
  const one = fc.record({
    path,
    text,
    status: fc.constantFrom(200, 204, 404),
    name: fc.constantFrom(null, 'query GetUser', 'mutation Save'),
    type: fc.constantFrom('application/json', 'text/plain', 'text/html'),
  })
  const file = fc.constantFrom(
    source,
    source.replaceAll('\r\n', '\n'),
    'export default []',
    '// A.\nexport const handlers = [a]',
  )
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), file, (given, before) => {
      const exchanges = given.map(({ path: wanted, ...rest }) => exchange(wanted, rest))
      const { handler } = joinHandlers(exchanges, null)
      const after = insertHandler('handlers.ts', before, handler)
      expect(parse(after, { sourceType: 'module' }).errors).toEqual([])
      const count = (code: string): number => code.match(/\b(?:http|graphql)\.\w+\(/g)?.length ?? 0
      expect(`${count(after) - count(before)}`).toBe(/^\d+/.exec(handler.header)?.[0])
      // The existing handlers keep their order.
      let index = 0
      for (const character of after) if (character === before[index]) index += 1
      expect(index).toBe(before.length)
    }),
    { numRuns: 300 },
  )
})
