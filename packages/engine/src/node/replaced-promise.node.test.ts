import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { delay, graphql, http, HttpResponse, passthrough } from '../index.ts'
import { real, server } from './fetch/testing/real-backend.ts'

// As zone.js does: promises of asynchronous functions are not instances of the class that replaces the global one.
class ReplacedPromise<Value> extends Promise<Value> {}

beforeEach(() => {
  vi.stubGlobal('Promise', ReplacedPromise)
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const at = (path: string): string => `https://app.test${path}`

async function ask(url: string, init?: RequestInit): Promise<string> {
  return (await fetch(url, init)).text()
}

const operation = (query: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query }),
})

test('handlers answer', async () => {
  server.use(
    http.get(at('/now'), () => HttpResponse.text('now')),
    http.get(at('/later'), async () => {
      await delay(1)
      return HttpResponse.text('later')
    }),
    http.get(at('/steps'), async function* () {
      yield HttpResponse.text('first')
      return HttpResponse.text('last')
    }),
    http.get(
      async ({ request }) => request.url.endsWith('/predicate'),
      () => HttpResponse.text('predicate'),
    ),
    graphql.query('GetUser', () => HttpResponse.json({ data: { name: 'Ada' } })),
    graphql.query(
      async ({ query }) => query.includes('Other'),
      () => HttpResponse.json({ data: { name: 'Bo' } }),
    ),
  )
  server.listen()
  expect([await ask(at('/now')), await ask(at('/later')), await ask(at('/predicate'))]).toEqual([
    'now',
    'later',
    'predicate',
  ])
  expect([await ask(at('/steps')), await ask(at('/steps')), await ask(at('/steps'))]).toEqual(['first', 'last', 'last'])
  expect(await ask(at('/graphql'), operation('query GetUser { name }'))).toBe('{"data":{"name":"Ada"}}')
  expect(await ask(at('/graphql'), operation('query Other { name }'))).toBe('{"data":{"name":"Bo"}}')
})

test.each([undefined, new AbortController().signal])(
  'requests reach the network, with the signal %s',
  async (signal) => {
    server.use(
      http.get(`${real.origin}/echo`, () => passthrough()),
      http.get(at('/moved'), () => HttpResponse.redirect(`${real.origin}/echo`)),
    )
    server.listen({ onUnhandledRequest: 'bypass' })
    const init = signal ? { signal } : {}
    for (const url of [`${real.origin}/echo`, `${real.origin}/twice`, at('/moved')]) {
      expect(JSON.parse(await ask(url, init))).toMatchObject({ method: 'GET' })
    }
  },
)
