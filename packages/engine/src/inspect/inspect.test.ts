import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import { setUnhandledReport } from '../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../core/unhandled/unhandled-report.ts'
import { readUnhandledPolicy } from '../core/unhandled/unhandled-request.ts'
import { graphql, http, HttpResponse, passthrough, rest, sse, ws, type Handler } from '../index.ts'
import type { InspectedHandler } from './inspect-handlers.ts'
import { inspect, type Inspection, type Snapshot } from './inspect.ts'

setUnhandledReport(unhandledReport)

const baseUrl = 'https://app.test/'
const resolve = (): Response => HttpResponse.json({ name: 'Ada' })

let network: Network
let inspection: Inspection

function start(handlers: readonly Handler[]): void {
  const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass' })
  network = new Network(handlers, { baseUrl, unhandled })
  inspection = inspect({ '~network': network })
}

async function ask(url: string, init?: RequestInit): Promise<Outcome> {
  return handleRequest(new Request(new URL(url, baseUrl), init), network)
}

async function read(url: string, init?: RequestInit): Promise<string> {
  const outcome = await ask(url, init)
  return outcome.type === 'mocked' ? `${outcome.response.status} ${await outcome.response.text()}` : outcome.type
}

const handlerAt = (index: number): InspectedHandler => inspection.snapshot().handlers[index] as InspectedHandler
const idAt = (index: number): number => handlerAt(index).id

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the handlers', () => {
  test('are in the order in which they answer, with layer and origin', () => {
    start([http.get('/initial', resolve), graphql.query('GetUser', resolve)])
    network.layers.install('story', [http.get('/scoped', resolve)])
    network.layers.use([rest.get('/runtime', (_req, res) => res()), http.get('/other', resolve)])
    const { handlers } = inspection.snapshot()
    expect(handlers.map(({ layer, header, kind }) => [layer, header, kind])).toEqual([
      ['runtime', 'GET /runtime', 'request'],
      ['runtime', 'GET /other', 'request'],
      ['scoped', 'GET /scoped', 'request'],
      ['initial', 'GET /initial', 'request'],
      ['initial', 'query GetUser', 'request'],
    ])
    expect(new Set(handlers.map(({ id }) => id)).size).toBe(5)
    for (const { origin } of handlers) {
      expect(origin?.file).toMatch(/inspect\.test\.ts/)
      expect(origin?.line).toBeGreaterThan(1)
    }
  })

  test('include those of WebSockets', () => {
    start([ws.link('wss://app.test/chat').addEventListener('connection', () => {})])
    expect(handlerAt(0)).toMatchObject({ kind: 'websocket', enabled: true, shadowedBy: null })
  })

  test('are plain data', async () => {
    start([http.get('/user', resolve), http.get('/user', resolve), http.post('/user', resolve)])
    inspection.override(idAt(0), { status: 500, delay: 1 })
    await ask('/user')
    await ask('/users')
    await ask('/user', { method: 'DELETE' })
    const snapshot = inspection.snapshot()
    expect(structuredClone(snapshot)).toEqual(snapshot)
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
    snapshot.handlers.forEach(({ override }) => Object.assign(override ?? {}, { status: 418 }))
    expect(handlerAt(0).override).toEqual({ status: 500, delay: 1 })
  })

  test('have the number of responses, and whether they are used up', async () => {
    start([http.get('/user', resolve, { once: true }), http.get('/user', () => {}), http.get('/user', resolve)])
    expect(handlerAt(0)).toMatchObject({ hits: 0, isUsedUp: false })
    for (let round = 0; round < 3; round += 1) await ask('/user')
    expect(inspection.snapshot().handlers.map(({ hits, isUsedUp }) => [hits, isUsedUp])).toEqual([
      [1, true],
      [0, false],
      [2, false],
    ])
  })
})

describe('a handler is shadowed', () => {
  const api = graphql.link('https://api.test/graphql')
  const subscribe = async function* (): AsyncGenerator<{ data: object }> {}

  test.each<[name: string, earlier: Handler, later: Handler]>([
    ['by the same path', http.get('/user/:id', resolve), http.get('/user/:name', resolve)],
    ['by any method', http.all('/user', resolve), http.post('/user', resolve)],
    ['by a parameter', http.get('/user/:id', resolve), http.get('/user/me', resolve)],
    ['by a wildcard', http.get('/api/*', resolve), http.get('/api/users/:id', resolve)],
    ['by everything', http.all('*', resolve), http.get('https://api.test/users', resolve)],
    ['even if it is a predicate', http.all('*', resolve), http.get(() => true, resolve)],
    ['by the same operation', graphql.query('GetUser', resolve), graphql.query('GetUser', resolve)],
    ['by the same operation of any URL', graphql.query('GetUser', resolve), api.query('GetUser', resolve)],
    ['by the same operation of the same URL', api.query('GetUser', resolve), api.query('GetUser', resolve)],
    ['by any operation', graphql.operation(resolve), graphql.mutation('Login', resolve)],
    ['by any operation of its URL', api.operation(resolve), api.query(/^Get/, resolve)],
    ['of GraphQL, by plain HTTP', http.all('https://api.test/*', resolve), api.query('GetUser', resolve)],
  ])('%s', (_, earlier, later) => {
    start([earlier, later])
    expect([handlerAt(0).shadowedBy, handlerAt(1).shadowedBy]).toEqual([null, idAt(0)])
  })

  test.each<[name: string, earlier: Handler, later: Handler]>([
    ['by another method', http.get('/user', resolve), http.post('/user', resolve)],
    ['by a handler for one method, if it accepts any', http.get('/user', resolve), http.all('/user', resolve)],
    ['by a literal, if it has a parameter', http.get('/user/me', resolve), http.get('/user/:id', resolve)],
    ['by an expression', http.get('/user/:id(\\d+)', resolve), http.get('/user/5', resolve)],
    ['by a predicate', http.get(() => true, resolve), http.get('/user', resolve)],
    ['by one that answers once', http.get('/user', resolve, { once: true }), http.get('/user', resolve)],
    ['by one that wants a query', http.get('/user', resolve, { query: { q: '1' } }), http.get('/user', resolve)],
    ['by another origin', http.get('https://api.test/user', resolve), http.get('/user', resolve)],
    ['by a longer path', http.get('/user/*', resolve), http.get('/user', resolve)],
    ['by GraphQL', graphql.operation(resolve), http.post('/graphql', resolve)],
    ['by GraphQL of its URL', api.operation(resolve), http.post('https://api.test/graphql', resolve)],
    ['by another operation', graphql.query('GetUser', resolve), graphql.query('GetUsers', resolve)],
    ['by an operation of another type', graphql.query('User', resolve), graphql.mutation('User', resolve)],
    ['by the same operation of one URL', api.query('GetUser', resolve), graphql.query('GetUser', resolve)],
    ['by operations that an expression names', graphql.query(/./, resolve), graphql.query('GetUser', resolve)],
    ['by operations of a predicate', graphql.query(() => true, resolve), graphql.query('GetUser', resolve)],
    ['by an operation once', graphql.operation(resolve, { once: true }), graphql.query('GetUser', resolve)],
    ['of its subscription, by any operation', graphql.operation(resolve), graphql.subscription('News', subscribe)],
  ])('not %s', (_, earlier, later) => {
    start([earlier, later])
    expect(handlerAt(1).shadowedBy).toBe(null)
  })

  test('not by a disabled handler, but by the next one', () => {
    start([http.get('/user', resolve), http.get('/user', resolve), http.get('/user', resolve)])
    expect(handlerAt(2).shadowedBy).toBe(idAt(0))
    inspection.setEnabled(idAt(0), false)
    expect(handlerAt(2).shadowedBy).toBe(idAt(1))
  })

  test('by a handler of a later layer', () => {
    start([http.get('/user', resolve)])
    network.layers.use([http.get('/user', resolve)])
    expect([handlerAt(0).layer, handlerAt(1).shadowedBy]).toEqual(['runtime', idAt(0)])
  })
})

describe('the requests', () => {
  test('are listed with their outcome, the newest first', async () => {
    start([
      http.get('/user/:id', () => HttpResponse.json({}, { status: 201, statusText: 'Made Up' })),
      http.get('/error', () => HttpResponse.error()),
      http.get('/thrown', () => Promise.reject(new Error('Boom'))),
      http.get('/passed', () => passthrough()),
      graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
    ])
    const before = Date.now()
    await ask('/user/5?full')
    await ask('/error')
    await ask('/thrown')
    await ask('/passed')
    await ask('/graphql?query=query+GetUser+{a}')
    await ask('/users/5', { method: 'POST' })
    const { requests, handlers } = inspection.snapshot()
    const header = (index: number): object => ({ id: handlers[index]?.id, header: handlers[index]?.header })
    const unknown = {
      name: null,
      status: null,
      statusText: null,
      error: null,
      thrown: null,
      forced: null,
      noResponse: [],
      matchedAfter: null,
      respondedAfter: null,
      handler: null,
      nearest: [],
      suggestion: null,
    }
    const common = {
      id: expect.any(String),
      method: 'GET',
      startedAt: expect.any(Number),
      duration: expect.any(Number),
    }
    const at = (path: string): string => new URL(path, baseUrl).href
    expect(requests).toEqual([
      {
        ...unknown,
        ...common,
        method: 'POST',
        url: at('/users/5'),
        outcome: 'unhandled',
        suggestion: "http.post('/users/:id', () => HttpResponse.json({})),",
        nearest: [
          {
            id: handlers[0]?.id,
            header: 'GET /user/:id',
            difference: 'segment 1 differs: `user` / `users`; method differs: GET expected, POST sent',
          },
        ],
      },
      {
        ...unknown,
        ...common,
        url: at('/graphql?query=query+GetUser+{a}'),
        name: 'query GetUser',
        outcome: 'mocked',
        status: 200,
        statusText: 'OK',
        matchedAfter: expect.any(Number),
        handler: header(4),
      },
      {
        ...unknown,
        ...common,
        url: at('/passed'),
        outcome: 'passthrough',
        matchedAfter: expect.any(Number),
        handler: header(3),
      },
      {
        ...unknown,
        ...common,
        url: at('/thrown'),
        outcome: 'mocked',
        status: 500,
        statusText: 'Internal Server Error',
        matchedAfter: expect.any(Number),
        thrown: { name: 'Error', message: 'Boom', stack: expect.stringContaining('inspect.test.ts') },
        handler: header(2),
      },
      {
        ...unknown,
        ...common,
        url: at('/error'),
        outcome: 'network-error',
        error: expect.stringContaining('answers with a network error'),
        matchedAfter: expect.any(Number),
        handler: header(1),
      },
      {
        ...unknown,
        ...common,
        url: at('/user/5?full'),
        outcome: 'mocked',
        status: 201,
        statusText: 'Made Up',
        matchedAfter: expect.any(Number),
        handler: header(0),
      },
    ])
    expect(requests.at(-1)?.startedAt).toBeGreaterThanOrEqual(before)
  })

  test('keep the handler that answered, even if it was removed', async () => {
    start([])
    network.layers.use([http.get('/user', resolve)])
    const id = idAt(0)
    await ask('/user')
    network.layers.reset()
    expect(inspection.snapshot()).toMatchObject({ handlers: [], requests: [{ handler: { id, header: 'GET /user' } }] })
  })

  test('are logged while they are pending, with the handler that runs', async () => {
    let answer: (response: Response) => void = () => {}
    start([http.get('/slow', () => new Promise<Response>((resolveNow) => (answer = resolveNow)))])
    const outcome = ask('/slow')
    await expect
      .poll(() => inspection.snapshot().requests)
      .toMatchObject([
        { outcome: 'pending', duration: null, status: null, handler: { id: idAt(0), header: 'GET /slow' } },
      ])
    const [{ id } = { id: '' }] = inspection.snapshot().requests
    expect(inspection.headers(id)).toEqual({ request: [], response: null })
    answer(HttpResponse.text('done', { status: 202 }))
    await outcome
    expect(inspection.snapshot().requests).toMatchObject([{ id, outcome: 'mocked', status: 202 }])
  })

  test('keep their place in the order in which they started', async () => {
    let answer: (response: Response) => void = () => {}
    start([
      http.get('/slow', () => new Promise<Response>((resolveNow) => (answer = resolveNow))),
      http.get('/user', resolve),
    ])
    const outcome = ask('/slow')
    await ask('/user')
    answer(new HttpResponse())
    await outcome
    expect(inspection.snapshot().requests.map(({ url }) => new URL(url).pathname)).toEqual(['/user', '/slow'])
  })

  test('name the handlers that returned no response, and the handler that answered', async () => {
    start([http.get('/user', () => undefined), http.get('/:any', () => undefined), http.get('*', resolve)])
    await ask('/user')
    expect(inspection.snapshot().requests).toMatchObject([
      {
        outcome: 'mocked',
        handler: { id: idAt(2) },
        noResponse: [
          { id: idAt(0), header: 'GET /user' },
          { id: idAt(1), header: 'GET /:any' },
        ],
      },
    ])
  })

  test('keep the override of the handler that answered', async () => {
    start([http.get('/user', resolve)])
    inspection.override(idAt(0), { status: 503 })
    await ask('/user')
    inspection.override(idAt(0), null)
    await ask('/user')
    expect(inspection.snapshot().requests.map(({ forced }) => forced)).toEqual([null, { status: 503 }])
  })

  test('mark an edited response, without the edited text', async () => {
    start([http.get('/user', resolve)])
    inspection.override(idAt(0), { status: 202, headers: [['x-edited', 'yes']], body: 'edited' })
    expect(handlerAt(0).override).toEqual({ status: 202, headers: [['x-edited', 'yes']], body: 'edited' })
    expect(await read('/user')).toBe('202 edited')
    const [request] = inspection.snapshot().requests
    expect(request?.forced).toEqual({ status: 202, isEdited: true })
    expect(inspection.headers(request?.id ?? '')?.response).toEqual([['x-edited', 'yes']])
    expect(() => structuredClone(inspection.snapshot())).not.toThrow()
    expect(() => inspection.override(idAt(0), { headers: [['not a name', '']] })).toThrow(
      'Failed to override a handler: its headers are not valid.',
    )
    inspection.reset()
    expect(await read('/user')).toBe('200 {"name":"Ada"}')
  })

  test('that reach the network have their response while bodies are kept', async () => {
    start([http.get('/user', () => passthrough())])
    const end = inspection.keepBodies()
    const outcome = await ask('/user')
    const answerOfNetwork = new Response('{"real":true}', {
      status: 418,
      headers: { 'content-type': 'application/json', 'x-real': 'yes' },
    })
    if (outcome.type === 'passthrough') outcome.onResponse?.(answerOfNetwork.clone())
    expect(inspection.snapshot().requests).toMatchObject([
      { outcome: 'passthrough', status: 418, respondedAfter: expect.any(Number) },
    ])
    const [{ id } = { id: '' }] = inspection.snapshot().requests
    expect(inspection.headers(id)?.response).toContainEqual(['x-real', 'yes'])
    await expect.poll(() => inspection.bodies(id).response?.text).toBe('{"real":true}')
    end()
    const later = await ask('/user')
    expect(later.type === 'passthrough' && later.onResponse).toBe(undefined)
  })

  test('of assets have no nearest handlers', async () => {
    start([http.get('/logos.svg', resolve)])
    await ask('/logo.svg')
    expect(inspection.snapshot().requests).toMatchObject([{ outcome: 'unhandled', nearest: [] }])
  })

  test('are limited to the last 500', async () => {
    start([])
    for (let index = 0; index < 505; index += 1) await ask(`/user/${index}`)
    const { requests } = inspection.snapshot()
    expect([requests.length, requests[0]?.url, requests.at(-1)?.url]).toEqual([
      500,
      `${baseUrl}user/504`,
      `${baseUrl}user/5`,
    ])
  })

  test('that were aborted show the reason', async () => {
    start([http.get('/slow', () => new Promise<Response>(() => {}))])
    const controller = new AbortController()
    const outcome = ask('/slow', { signal: controller.signal })
    controller.abort(new RangeError('enough'))
    await outcome
    expect(inspection.snapshot().requests).toMatchObject([{ outcome: 'network-error', error: 'enough' }])
  })
})

describe('a subscriber', () => {
  test('is called once for all changes in one task', async () => {
    start([http.get('/user', resolve)])
    const told: Snapshot[] = []
    const end = inspection.subscribe((snapshot) => told.push(snapshot))
    await Promise.all([ask('/user'), ask('/user'), ask('/users')])
    network.layers.use([http.get('/other', resolve)])
    inspection.override(idAt(1), { status: 500 })
    await expect.poll(() => told).toHaveLength(1)
    expect(told[0]?.requests).toHaveLength(3)
    expect(told[0]?.handlers).toMatchObject([{ header: 'GET /other' }, { hits: 2, override: { status: 500 } }])
    end()
    await ask('/user')
    await new Promise((wait) => setTimeout(wait, 5))
    expect(told).toHaveLength(1)
  })

  test.each<[name: string, change: () => unknown]>([
    ['use', () => network.layers.use([http.get('/other', resolve)])],
    ['reset of handlers', () => network.layers.reset([http.get('/other', resolve)])],
    ['install', () => network.layers.install('story', [http.get('/other', resolve)])],
    ['a switch', () => inspection.setEnabled(idAt(0), false)],
    ['an override', () => inspection.override(idAt(0), { delay: 5 })],
    ['a request', () => ask('/user')],
    ['reset', () => inspection.reset()],
    ['a new beginning', () => inspection.clear()],
  ])('is called after %s', async (_, change) => {
    start([http.get('/user', resolve, { once: true })])
    const told = vi.fn<(snapshot: Snapshot) => void>()
    inspection.subscribe(told)
    await change()
    await expect.poll(() => told.mock.calls.length).toBe(1)
  })

  test('is called after handlers were restored', async () => {
    start([http.get('/user', resolve, { once: true })])
    await ask('/user')
    const told: Snapshot[] = []
    inspection.subscribe((snapshot) => told.push(snapshot))
    network.layers.restore()
    await expect.poll(() => told).toMatchObject([{ handlers: [{ isUsedUp: false }] }])
  })

  test.each(['subscribe', 'onChange'] as const)('that throws does not affect the others: %s', async (name) => {
    start([http.get('/user', resolve)])
    const told = vi.fn<(snapshot: Snapshot) => void>()
    const changed = vi.fn<() => void>()
    inspection[name](() => {
      throw new Error('Boom')
    })
    inspection.subscribe(told)
    inspection.onChange(changed)
    await ask('/user')
    await expect.poll(() => told.mock.calls.length).toBe(1)
    expect(changed).toHaveBeenCalledOnce()
    expect(console.error).toHaveBeenCalledOnce()
  })

  test('without a snapshot is also called once for all changes in one task', async () => {
    start([http.get('/user', resolve)])
    const changed = vi.fn<(...args: unknown[]) => void>()
    const end = inspection.onChange(changed)
    await Promise.all([ask('/user'), ask('/users')])
    inspection.override(idAt(0), { status: 500 })
    await expect.poll(() => changed.mock.calls).toEqual([[]])
    end()
    await ask('/user')
    await new Promise((wait) => setTimeout(wait, 5))
    expect(changed).toHaveBeenCalledOnce()
  })
})

describe('a command', () => {
  test('switches a handler off and on', async () => {
    start([http.get('/user', () => HttpResponse.text('first')), http.get('/user', () => HttpResponse.text('second'))])
    inspection.setEnabled(idAt(0), false)
    expect([await read('/user'), handlerAt(0).enabled]).toEqual(['200 second', false])
    inspection.setEnabled(idAt(1), false)
    expect(await read('/user')).toBe('unhandled')
    expect(inspection.snapshot().requests[0]?.nearest).toMatchObject([
      { id: idAt(0), difference: 'it matches, but is switched off' },
      { id: idAt(1), difference: 'it matches, but is switched off' },
    ])
    inspection.setEnabled(idAt(0), true)
    expect(await read('/user')).toBe('200 first')
  })

  test('forces a status, and keeps the rest of the response', async () => {
    start([http.get('/user', () => HttpResponse.text('body', { headers: { 'x-a': 'b' } }))])
    inspection.override(idAt(0), { status: 503 })
    const outcome = await ask('/user')
    expect(outcome).toMatchObject({ type: 'mocked', response: { status: 503, statusText: 'Service Unavailable' } })
    expect(outcome.type === 'mocked' && outcome.response.headers.get('x-a')).toBe('b')
    inspection.override(idAt(0), { status: 204 })
    expect(await read('/user')).toBe('204 ')
    inspection.override(idAt(0), null)
    expect(await read('/user')).toBe('200 body')
  })

  test('forces a delay', async () => {
    start([http.get('/user', resolve)])
    inspection.override(idAt(0), { delay: 30 })
    await ask('/user')
    // Timers may fire a millisecond early.
    expect(inspection.snapshot().requests[0]?.duration).toBeGreaterThan(25)
  })

  test('forces a network error', async () => {
    const resolver = vi.fn<() => Response>(resolve)
    start([http.get('/user', resolver)])
    inspection.override(idAt(0), { networkError: true })
    expect(await read('/user')).toBe('network-error')
    expect(resolver).not.toHaveBeenCalled()
  })

  test('resets all of it', async () => {
    start([http.get('/user', resolve), http.get('/other', resolve)])
    await ask('/user')
    inspection.setEnabled(idAt(1), false)
    inspection.override(idAt(0), { status: 500 })
    inspection.reset()
    expect(inspection.snapshot()).toMatchObject({
      requests: [],
      handlers: [
        { hits: 0, enabled: true, override: null },
        { hits: 0, enabled: true, override: null },
      ],
    })
  })

  test('clearing removes requests and hits, and keeps disabled handlers and overrides', async () => {
    start([http.get('/user', resolve), http.get('/post', resolve)])
    await ask('/user')
    inspection.setEnabled(idAt(1), false)
    inspection.override(idAt(0), { status: 500 })
    inspection.clear()
    expect(inspection.snapshot()).toMatchObject({
      requests: [],
      handlers: [
        { hits: 0, enabled: true, override: { status: 500 } },
        { hits: 0, enabled: false },
      ],
    })
  })

  test.each<[name: string, command: () => void, message: string]>([
    [
      'to switch an unknown handler',
      () => inspection.setEnabled(99, false),
      'Failed to switch a handler: there is no handler with the id 99. Use an id from the latest snapshot().',
    ],
    [
      'to override an unknown handler',
      () => inspection.override(99, null),
      'Failed to override a handler: there is no handler with the id 99.',
    ],
    [
      'with an invalid status',
      () => inspection.override(idAt(0), { status: 99 }),
      'Failed to override a handler: 99 is not a valid status. Use an integer from 200 to 599.',
    ],
    [
      'with a negative delay',
      () => inspection.override(idAt(0), { delay: -1 }),
      'Failed to override a handler: -1 is not a valid delay. Use milliseconds, from 0 to 2147483647.',
    ],
    [
      'with too long a delay',
      () => inspection.override(idAt(0), { delay: 2 ** 31 }),
      '2147483648 is not a valid delay.',
    ],
    ['to keep no bytes', () => inspection.keepBodies(0), 'Failed to keep bodies: 0 is not a valid limit.'],
    [
      'to inspect another value',
      () => inspect({} as never),
      'Failed to inspect: its argument is an object with the keys (none). Pass what setupWorker() or setupServer() returned.',
    ],
  ])('%s is refused', (_, command, message) => {
    start([http.get('/user', resolve)])
    expect(command).toThrow(message)
    expect(handlerAt(0)).toMatchObject({ enabled: true, override: null })
  })
})

describe('bodies', () => {
  const latest = (): string => inspection.snapshot().requests[0]?.id ?? ''
  const echo = http.post('/echo', async ({ request }) => HttpResponse.json((await request.json()) as object))
  const post = { method: 'POST', body: '{"name":"Grüße"}', headers: { 'content-type': 'application/json' } }

  test('are copied only on demand', async () => {
    start([echo])
    const clone = vi.spyOn(Response.prototype, 'clone')
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    expect(clone).not.toHaveBeenCalled()
    expect(inspection.bodies(latest())).toEqual({ request: null, response: null })
  })

  test('are kept as text, and stay complete for handler and client', async () => {
    start([echo])
    const end = inspection.keepBodies()
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    const body = { type: 'application/json', size: 18, isComplete: true, text: '{"name":"Grüße"}', base64: null }
    await expect.poll(() => inspection.bodies(latest())).toEqual({ request: body, response: body })
    const id = latest()
    end()
    await ask('/echo', post)
    expect(inspection.bodies(latest())).toEqual({ request: null, response: null })
    expect(inspection.bodies(id).request).toEqual(body)
    inspection.reset()
    expect(inspection.bodies(id)).toEqual({ request: null, response: null })
  })

  test('of requests are kept if requests have no property `body`, as in Firefox', async () => {
    const body = vi.spyOn(Request.prototype, 'body', 'get').mockReturnValue(undefined as never)
    start([echo, http.get('/nothing', () => new HttpResponse(null))])
    inspection.keepBodies()
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    await expect.poll(() => inspection.bodies(latest()).request).toMatchObject({ size: 18, text: '{"name":"Grüße"}' })
    await read('/nothing')
    expect(inspection.bodies(latest())).toEqual({ request: null, response: null })
    body.mockRestore()
  })

  test('that are not text are kept as base64', async () => {
    const bytes = new Uint8Array([0, 255, 128, 10])
    start([http.get('/image', () => HttpResponse.arrayBuffer(bytes, { headers: { 'content-type': 'image/png' } }))])
    inspection.keepBodies()
    await ask('/image')
    await expect
      .poll(() => inspection.bodies(latest()).response)
      .toEqual({ type: 'image/png', size: 4, isComplete: true, text: null, base64: 'AP+ACg==' })
  })

  test('are kept up to a limit', async () => {
    start([http.get('/long', () => HttpResponse.text('a'.repeat(1000)))])
    inspection.keepBodies(10)
    expect(await read('/long')).toBe(`200 ${'a'.repeat(1000)}`)
    await expect
      .poll(() => inspection.bodies(latest()).response)
      .toEqual({ type: 'text/plain', size: 1000, isComplete: false, text: 'aaaaaaaaaa', base64: null })
  })

  test('are read up to a limit', async () => {
    start([http.get('/long', () => HttpResponse.text('abcdefghij'))])
    inspection.keepBodies()
    await read('/long')
    await expect.poll(() => inspection.bodies(latest()).response).toMatchObject({ isComplete: true })
    expect(inspection.bodies(latest(), 3).response).toMatchObject({ size: 10, isComplete: false, text: 'abc' })
    expect(inspection.bodies(latest(), 10).response).toMatchObject({ size: 10, isComplete: true, text: 'abcdefghij' })
  })

  test('are kept up to 32 MB in total, and the oldest are cut', async () => {
    const size = 2_000_000
    start([http.get('/long', () => HttpResponse.text('a'.repeat(size)))])
    inspection.keepBodies(size)
    for (let count = 0; count < 20; count += 1) {
      await read('/long')
      await expect.poll(() => inspection.bodies(latest(), 1).response?.size).toBe(size)
    }
    const lengths = inspection
      .snapshot()
      .requests.map(({ id }) => inspection.bodies(id).response)
      .map((body) => [body?.text?.length, body?.size, body?.isComplete])
    const whole = [size, size, true]
    const cut = [65_536, size, false]
    // 15 × 2,000,000 + 5 × 65,536 bytes are below the limit, one whole body more is above it.
    expect(lengths).toEqual([...Array.from({ length: 15 }, () => whole), ...Array.from({ length: 5 }, () => cut)])
    // Bodies of dropped requests do not count.
    inspection.reset()
    for (let count = 0; count < 16; count += 1) await read('/long')
    await expect
      .poll(() => inspection.snapshot().requests.every(({ id }) => inspection.bodies(id).response?.isComplete))
      .toBe(true)
  })

  test('of event streams are kept with the time of each part', async () => {
    const sends: (() => void)[] = []
    start([
      sse('/events', ({ client }) => {
        client.send({ data: 'Grüße' })
        sends.push(() => client.send({ data: 'two' }))
      }),
    ])
    inspection.keepBodies()
    const before = Date.now()
    const outcome = await ask('/events', { headers: { accept: 'text/event-stream' } })
    const first = 'data: Grüße\n\n'
    await expect.poll(() => inspection.bodies(latest()).response).toMatchObject({ text: first, isComplete: false })
    sends[0]?.()
    const text = `${first}data: two\n\n`
    await expect.poll(() => inspection.bodies(latest()).response?.text).toBe(text)
    const { arrivals = [] } = inspection.bodies(latest()).response ?? {}
    expect(arrivals.map(({ end }) => end)).toEqual([first.length, text.length])
    for (const { at } of arrivals) expect(at).toBeGreaterThanOrEqual(before)
    if (outcome.type === 'mocked') void outcome.response.body?.cancel()
  })

  test('of event streams are kept until the client leaves, and the handler learns that it left', async () => {
    const left = vi.fn<() => void>()
    start([
      sse('/events', ({ client, request }) => {
        request.signal.addEventListener('abort', left)
        client.send({ data: 'one' })
      }),
    ])
    inspection.keepBodies()
    const outcome = await ask('/events', { headers: { accept: 'text/event-stream' } })
    const reader = outcome.type === 'mocked' ? outcome.response.body?.getReader() : undefined
    await reader?.read()
    expect(left).not.toHaveBeenCalled()
    await reader?.cancel()
    await expect.poll(() => left.mock.calls.length).toBe(1)
    expect(inspection.bodies(latest()).response).toMatchObject({ text: 'data: one\n\n', isComplete: false })
  })

  test('of streams are kept until the client leaves, and the source of the stream is cancelled', async () => {
    const cancel = vi.fn<() => void>()
    const body = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
      new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('some')), cancel })
    start([http.get('/stream', () => new HttpResponse(body(), { headers: { 'content-type': 'text/plain' } }))])
    inspection.keepBodies()
    const outcome = await ask('/stream')
    await (outcome.type === 'mocked' && outcome.response.body?.cancel())
    await expect.poll(() => cancel.mock.calls.length).toBe(1)
    expect(inspection.bodies(latest()).response).toMatchObject({ text: 'some', size: 4, isComplete: false })
  })

  test('of long streams are complete, independent of the client’s speed', async () => {
    let count = 0
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        count += 1
        controller.enqueue(new Uint8Array(1000))
        if (count === 500) controller.close()
      },
    })
    start([http.get('/stream', () => new HttpResponse(body))])
    inspection.keepBodies(1_000_000)
    const outcome = await ask('/stream')
    expect(outcome.type === 'mocked' && (await outcome.response.arrayBuffer()).byteLength).toBe(500_000)
    await expect.poll(() => inspection.bodies(latest()).response).toMatchObject({ size: 500_000, isComplete: true })
  })

  test('of event streams accept an event from the panel, until the stream ends', async () => {
    const ends: (() => void)[] = []
    start([
      sse('/events', ({ client }) => {
        client.send({ data: 'one' })
        ends.push(() => client.close())
      }),
    ])
    const outcome = await ask('/events', { headers: { accept: 'text/event-stream' } })
    inspection.send(latest(), 'a\nb', 'joined')
    inspection.send(latest(), '')
    expect(() => inspection.send(latest(), 'a', 'two\nlines')).toThrow('its event is')
    ends[0]?.()
    const text = outcome.type === 'mocked' ? await outcome.response.text() : ''
    expect(text).toBe('data: one\n\nevent: joined\ndata: a\ndata: b\n\ndata: \n\n')
    const closed = 'Failed to send a message to the app: the connection is not open.'
    await expect.poll(() => toThrow(() => inspection.send(latest(), 'late'))).toContain(closed)
  })

  test('of streams are kept as they arrive, and subscribers are called', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    start([http.get('/stream', () => new HttpResponse(readable, { headers: { 'content-type': 'text/plain' } }))])
    inspection.keepBodies()
    const told = vi.fn<(snapshot: Snapshot) => void>()
    const outcome = await ask('/stream')
    inspection.subscribe(told)
    void writer.write(new TextEncoder().encode('one'))
    await expect.poll(() => inspection.bodies(latest()).response).toMatchObject({ text: 'one', isComplete: false })
    await expect.poll(() => told.mock.calls.length).toBe(1)
    void writer.close()
    await expect.poll(() => inspection.bodies(latest()).response).toMatchObject({ text: 'one', isComplete: true })
    expect(outcome.type === 'mocked' && (await outcome.response.text())).toBe('one')
  })

  test('of streams that fail are kept up to the failure', async () => {
    const stream = (): ReadableStream =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('some')),
        async pull(controller) {
          await new Promise((wait) => setTimeout(wait, 5))
          controller.error(new Error('broken'))
        },
      })
    start([http.get('/stream', () => new HttpResponse(stream(), { headers: { 'content-type': 'text/plain' } }))])
    inspection.keepBodies()
    const outcome = await ask('/stream')
    await expect(outcome.type === 'mocked' && outcome.response.text()).rejects.toBeInstanceOf(Error)
    await expect.poll(() => inspection.bodies(latest()).response).toMatchObject({ text: 'some', isComplete: false })
  })

  test('of an unknown request are null', () => {
    start([])
    expect(inspection.bodies('__proto__')).toEqual({ request: null, response: null })
  })
})

test('a second inspection of the same network is the first', () => {
  start([])
  expect(inspect({ '~network': network })).toBe(inspection)
})

/** Returns the message of the error that a function throws. */
function toThrow(call: () => void): string {
  try {
    call()
    return ''
  } catch (error) {
    return String(error)
  }
}
