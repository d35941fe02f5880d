import * as engine from '@understudy/engine'
import { expect, test, vi } from 'vitest'

import { createExchange } from '../testing/create-exchange.ts'
import { readStyle } from './code-style.ts'
import type { Exchange } from './exchange.ts'
import { toScenarioCode } from './scenario-code.ts'
import { readHeader, type ScenarioItem } from './scenario-item.ts'

const item = (given: Partial<Exchange>, answer: ScenarioItem['answer'] = 'response', delay = 0): ScenarioItem => ({
  exchange: createExchange({ header: 'GET /api/users', ...given }),
  answer,
  delay,
})

const write = (items: readonly ScenarioItem[], file = ''): string =>
  toScenarioCode('new', items).write(readStyle(file), '', (name) => name)

/** Evaluates the code with the engine, and returns its response. */
async function ask(code: string, url: string, init?: RequestInit): Promise<Response | undefined> {
  // oxlint-disable-next-line no-implied-eval
  const read = new Function(...Object.keys(engine), `return ${code}`) as (
    ...values: unknown[]
  ) => engine.RequestHandler[]
  return engine.getResponse(read(...Object.values(engine)), new Request(url, init))
}

test('each override is a handler', () => {
  const code = write([
    item({ status: 503, text: null }),
    item({ method: 'POST', header: 'POST /api/users' }, 'error'),
    item({ header: 'ALL *' }, 'next', 2000),
    item({ header: 'query GetUser' }, 'response', 500),
    item({ header: 'GET /search?q=:term&page=2' }, 'error', 100),
  ])
  expect(code).toBe(`[
  http.get('/api/users', () => new HttpResponse(null, { status: 503 })),
  http.post('/api/users', () => HttpResponse.error()),
  http.all('*', async () => {
    await delay(2000)
  }),
  graphql.query('GetUser', async () => {
    await delay(500)
    return HttpResponse.json({ id: 1 })
  }),
  http.get('/search', async () => {
    await delay(100)
    return HttpResponse.error()
  }, { query: { q: ':term', page: '2' } }),
]`)
})

test('only the functions that the code calls are imported', () => {
  expect(toScenarioCode('new', [item({}, 'next', 1)]).names).toEqual(['http', 'delay'])
  expect(toScenarioCode('new', [item({}, 'error')]).names).toEqual(['http', 'HttpResponse'])
  expect(toScenarioCode('new', [item({ header: 'query A' }, 'response', 1)]).names).toEqual([
    'graphql',
    'HttpResponse',
    'delay',
  ])
})

test('of handlers with the same path, the first one is written', () => {
  const code = write([item({ status: 500 }), item({ status: 400 })])
  expect(code).toContain('500')
  expect(code).not.toContain('400')
  const searches = write([item({ header: 'GET /search?q=a' }, 'error'), item({ header: 'GET /search?q=b' }, 'error')])
  expect(searches.match(/http\.get/g)).toHaveLength(2)
})

test('secrets are redacted, and the notes name the handler', () => {
  const { notes } = toScenarioCode('new', [item({ text: '{"token":"abc"}' }), item({ header: 'GET /b' }, 'error')])
  expect(notes).toEqual(['GET /api/users: Redacted: token.'])
})

test('a header that is not a path gets the path of the request', () => {
  expect(write([item({ header: 'GET /\\/users\\/\\d+/', url: 'http://localhost/users/7' })])).toContain("'/users/7'")
  expect(write([item({ header: null, name: 'query GetUser' })])).toContain("graphql.query('GetUser'")
})

test('the engine answers with the scenario', async () => {
  vi.spyOn(Math, 'random')
  const failing = await ask(
    write([item({ status: 402, header: 'POST http://localhost/pay/:id' })]),
    'http://localhost/pay/7',
    {
      method: 'POST',
    },
  )
  expect(failing?.status).toBe(402)
  expect(await failing?.json()).toEqual({ id: 1 })
  const edited = item({ text: 'a', type: 'text/csv', headers: [['X-Page', '2']], header: 'GET *' }, 'response', 1)
  const response = await ask(write([edited, item({ header: 'ALL *' })], 'import a from "b";\r\n'), 'http://localhost/a')
  expect(response?.headers.get('content-type')).toBe('text/csv')
  expect(response?.headers.get('x-page')).toBe('2')
  expect(await response?.text()).toBe('a')
  const next = await ask(write([item({ header: 'GET *' }, 'next', 1), item({ header: 'ALL *' })]), 'http://localhost/a')
  expect(await next?.json()).toEqual({ id: 1 })
  const failed = await ask(write([item({ header: 'GET *' }, 'error')]), 'http://localhost/a')
  expect(failed?.type).toBe('error')
})

test.each<[handler: engine.RequestHandler, target: ReturnType<typeof readHeader>]>([
  [engine.http.get('/api/users/:id', () => {}), { api: 'http', member: 'get', target: '/api/users/:id' }],
  [engine.http.all('*', () => {}), { api: 'http', member: 'all', target: '*' }],
  [engine.http.put('https://a.test/b/*', () => {}), { api: 'http', member: 'put', target: 'https://a.test/b/*' }],
  [engine.http.get('/users/:id?', () => {}), { api: 'http', member: 'get', target: '/users/:id?' }],
  [engine.http.get('/users/:id(\\d+)', () => {}), { api: 'http', member: 'get', target: '/users/:id(\\d+)' }],
  [
    engine.http.get('/search', () => {}, { query: { q: ':term?', page: 2 } }),
    { api: 'http', member: 'get', target: '/search', query: { q: ':term?', page: '2' } },
  ],
  [engine.http.get('/search', () => {}, { query: { q: null } }), null],
  [engine.http.get('/search', () => {}, { query: { q: /a&b=c/ } }), null],
  [engine.http.get('/search', () => {}, { query: { q: ['a', 'b'] } }), null],
  [engine.http.get(/\/users\/\d+/, () => {}), null],
  [engine.http.get(/users/i, () => {}), null],
  [engine.http.get(/\/a\/\w+$/g, () => {}), null],
  [
    engine.http.get(
      () => true,
      () => {},
    ),
    null,
  ],
  [engine.rest.get('/old', () => {}), { api: 'http', member: 'get', target: '/old' }],
  [engine.sse('/events', () => {}), { api: 'http', member: 'get', target: '/events' }],
  [engine.graphql.query('GetUser', () => {}), { api: 'graphql', member: 'query', target: 'GetUser' }],
  [engine.graphql.mutation('Save', () => {}), { api: 'graphql', member: 'mutation', target: 'Save' }],
  [engine.graphql.query(/Get/, () => {}), null],
  [engine.graphql.operation(() => {}), null],
  [engine.graphql.link('https://a.test/graphql').query('GetUser', () => {}), null],
])('the header of %# is read', (handler, target) => {
  expect(readHeader(handler.info.header)).toEqual(target)
})
