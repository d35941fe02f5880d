import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import { readUnhandledPolicy } from '../core/network/unhandled-request.ts'
import { graphql, http, HttpResponse, passthrough, rest, ws, type Handler } from '../index.ts'
import { inspect, type InspectedHandler, type Inspection, type Snapshot } from './inspect.ts'

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
  test('stand in the order in which they answer, with layer and origin', () => {
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

  test('of WebSockets stand there, too', () => {
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

  test('tell how often they answered, and whether they are used up', async () => {
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
    ['by one method, where it takes any', http.get('/user', resolve), http.all('/user', resolve)],
    ['by a literal, where it has a parameter', http.get('/user/me', resolve), http.get('/user/:id', resolve)],
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

  test('not by one that is switched off, and by the next then', () => {
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
  test('stand there with their outcome, the newest first', async () => {
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
        handler: header(4),
      },
      { ...unknown, ...common, url: at('/passed'), outcome: 'passthrough', handler: header(3) },
      {
        ...unknown,
        ...common,
        url: at('/thrown'),
        outcome: 'mocked',
        status: 500,
        statusText: 'Internal Server Error',
        handler: header(2),
      },
      {
        ...unknown,
        ...common,
        url: at('/error'),
        outcome: 'network-error',
        error: expect.stringContaining('answers with a network error'),
        handler: header(1),
      },
      {
        ...unknown,
        ...common,
        url: at('/user/5?full'),
        outcome: 'mocked',
        status: 201,
        statusText: 'Made Up',
        handler: header(0),
      },
    ])
    expect(requests.at(-1)?.startedAt).toBeGreaterThanOrEqual(before)
  })

  test('keep the handler that answered, when it is gone', async () => {
    start([])
    network.layers.use([http.get('/user', resolve)])
    const id = idAt(0)
    await ask('/user')
    network.layers.reset()
    expect(inspection.snapshot()).toMatchObject({ handlers: [], requests: [{ handler: { id, header: 'GET /user' } }] })
  })

  test('of assets look for no nearest handler', async () => {
    start([http.get('/logos.svg', resolve)])
    await ask('/logo.svg')
    expect(inspection.snapshot().requests).toMatchObject([{ outcome: 'unhandled', nearest: [] }])
  })

  test('are the last 500', async () => {
    start([])
    for (let index = 0; index < 505; index += 1) await ask(`/user/${index}`)
    const { requests } = inspection.snapshot()
    expect([requests.length, requests[0]?.url, requests.at(-1)?.url]).toEqual([
      500,
      `${baseUrl}user/504`,
      `${baseUrl}user/5`,
    ])
  })

  test('that were given up say why', async () => {
    start([http.get('/slow', () => new Promise<Response>(() => {}))])
    const controller = new AbortController()
    const outcome = ask('/slow', { signal: controller.signal })
    controller.abort(new RangeError('enough'))
    await outcome
    expect(inspection.snapshot().requests).toMatchObject([{ outcome: 'network-error', error: 'enough' }])
  })
})

describe('a subscriber', () => {
  test('is told once of all that happens in a moment', async () => {
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
  ])('is told of %s', async (_, change) => {
    start([http.get('/user', resolve, { once: true })])
    const told = vi.fn<(snapshot: Snapshot) => void>()
    inspection.subscribe(told)
    await change()
    await expect.poll(() => told.mock.calls.length).toBe(1)
  })

  test('is told of restored handlers', async () => {
    start([http.get('/user', resolve, { once: true })])
    await ask('/user')
    const told: Snapshot[] = []
    inspection.subscribe((snapshot) => told.push(snapshot))
    network.layers.restore()
    await expect.poll(() => told).toMatchObject([{ handlers: [{ isUsedUp: false }] }])
  })

  test('that throws harms nobody else', async () => {
    start([http.get('/user', resolve)])
    const told = vi.fn<(snapshot: Snapshot) => void>()
    inspection.subscribe(() => {
      throw new Error('Boom')
    })
    inspection.subscribe(told)
    await ask('/user')
    await expect.poll(() => told.mock.calls.length).toBe(1)
    expect(console.error).toHaveBeenCalledOnce()
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

  test('forces a status, and leaves the rest', async () => {
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
    // Timers may come a millisecond early.
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

  test('clearing forgets requests and hits, and keeps what is switched and forced', async () => {
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
      'Failed to switch a handler: there is no handler with the id 99. Take an id of the latest snapshot().',
    ],
    [
      'to override an unknown handler',
      () => inspection.override(99, null),
      'Failed to override a handler: there is no handler with the id 99.',
    ],
    [
      'with a status that is none',
      () => inspection.override(idAt(0), { status: 99 }),
      'Failed to override a handler: the status 99 is none. Use an integer from 200 to 599.',
    ],
    [
      'with a negative delay',
      () => inspection.override(idAt(0), { delay: -1 }),
      'Failed to override a handler: the delay -1 is none. Use milliseconds, from 0 to 2147483647.',
    ],
    ['with too long a delay', () => inspection.override(idAt(0), { delay: 2 ** 31 }), 'the delay 2147483648 is none.'],
    ['to keep no bytes', () => inspection.keepBodies(0), 'Failed to keep bodies: the limit 0 is none.'],
    [
      'to inspect something else',
      () => inspect({} as never),
      'Failed to inspect: it was given an object with the keys (none). Pass what setupWorker() or setupServer() returned.',
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

  test('are not copied, unless somebody asks for them', async () => {
    start([echo])
    const clone = vi.spyOn(Response.prototype, 'clone')
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    expect(clone).not.toHaveBeenCalled()
    expect(inspection.bodies(latest())).toEqual({ request: null, response: null })
  })

  test('are kept as text, and stay whole for their owners', async () => {
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

  test('of requests are kept where these do not show them, as in Firefox', async () => {
    const body = vi.spyOn(Request.prototype, 'body', 'get').mockReturnValue(undefined as never)
    start([echo, http.get('/nothing', () => new HttpResponse(null))])
    inspection.keepBodies()
    expect(await read('/echo', post)).toBe('200 {"name":"Grüße"}')
    await expect.poll(() => inspection.bodies(latest()).request).toMatchObject({ size: 18, text: '{"name":"Grüße"}' })
    await read('/nothing')
    expect(inspection.bodies(latest())).toEqual({ request: null, response: null })
    body.mockRestore()
  })

  test('that are no text are kept as base64', async () => {
    const bytes = new Uint8Array([0, 255, 128, 10])
    start([http.get('/image', () => HttpResponse.arrayBuffer(bytes, { headers: { 'content-type': 'image/png' } }))])
    inspection.keepBodies()
    await ask('/image')
    await expect
      .poll(() => inspection.bodies(latest()).response)
      .toEqual({ type: 'image/png', size: 4, isComplete: true, text: null, base64: 'AP+ACg==' })
  })

  test('are kept to a limit', async () => {
    start([http.get('/long', () => HttpResponse.text('a'.repeat(1000)))])
    inspection.keepBodies(10)
    expect(await read('/long')).toBe(`200 ${'a'.repeat(1000)}`)
    await expect
      .poll(() => inspection.bodies(latest()).response)
      .toEqual({ type: 'text/plain', size: 1000, isComplete: false, text: 'aaaaaaaaaa', base64: null })
  })

  test('of streams are kept as they come, and subscribers are told', async () => {
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

  test('that break are kept until then', async () => {
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

  test('of an unknown request are none', () => {
    start([])
    expect(inspection.bodies('__proto__')).toEqual({ request: null, response: null })
  })
})

test('a second inspection of the same network is the first', () => {
  start([])
  expect(inspect({ '~network': network })).toBe(inspection)
})
