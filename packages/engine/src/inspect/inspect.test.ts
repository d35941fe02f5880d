import { describe, expect, test, vi } from 'vitest'

import { graphql, http, rest, ws, type Handler } from '../index.ts'
import { inspect, type Snapshot } from './inspect.ts'
import { ask, handlerAt, idAt, inspected, resolve, start } from './testing/inspect-network.ts'

describe('the handlers', () => {
  test('are in the order in which they answer, with layer and origin', () => {
    start([http.get('/initial', resolve), graphql.query('GetUser', resolve)])
    inspected.network.layers.install('story', [http.get('/scoped', resolve)])
    inspected.network.layers.use([rest.get('/runtime', (_req, res) => res()), http.get('/other', resolve)])
    const { handlers } = inspected.inspection.snapshot()
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
    inspected.inspection.override(idAt(0), { status: 500, delay: 1 })
    await ask('/user')
    await ask('/users')
    await ask('/user', { method: 'DELETE' })
    const snapshot = inspected.inspection.snapshot()
    expect(structuredClone(snapshot)).toEqual(snapshot)
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
    snapshot.handlers.forEach(({ override }) => Object.assign(override ?? {}, { status: 418 }))
    expect(handlerAt(0).override).toEqual({ status: 500, delay: 1 })
  })

  test('have the number of responses, and whether they are used up', async () => {
    start([http.get('/user', resolve, { once: true }), http.get('/user', () => {}), http.get('/user', resolve)])
    expect(handlerAt(0)).toMatchObject({ hits: 0, isUsedUp: false })
    for (let round = 0; round < 3; round += 1) await ask('/user')
    expect(inspected.inspection.snapshot().handlers.map(({ hits, isUsedUp }) => [hits, isUsedUp])).toEqual([
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
    inspected.inspection.setEnabled(idAt(0), false)
    expect(handlerAt(2).shadowedBy).toBe(idAt(1))
  })

  test('by a handler of a later layer', () => {
    start([http.get('/user', resolve)])
    inspected.network.layers.use([http.get('/user', resolve)])
    expect([handlerAt(0).layer, handlerAt(1).shadowedBy]).toEqual(['runtime', idAt(0)])
  })
})

describe('a subscriber', () => {
  test('is called once for all changes in one task', async () => {
    start([http.get('/user', resolve)])
    const told: Snapshot[] = []
    const end = inspected.inspection.subscribe((snapshot) => told.push(snapshot))
    await Promise.all([ask('/user'), ask('/user'), ask('/users')])
    inspected.network.layers.use([http.get('/other', resolve)])
    inspected.inspection.override(idAt(1), { status: 500 })
    await expect.poll(() => told).toHaveLength(1)
    expect(told[0]?.requests).toHaveLength(3)
    expect(told[0]?.handlers).toMatchObject([{ header: 'GET /other' }, { hits: 2, override: { status: 500 } }])
    end()
    await ask('/user')
    await new Promise((wait) => setTimeout(wait, 5))
    expect(told).toHaveLength(1)
  })

  test.each<[name: string, change: () => unknown]>([
    ['use', () => inspected.network.layers.use([http.get('/other', resolve)])],
    ['reset of handlers', () => inspected.network.layers.reset([http.get('/other', resolve)])],
    ['install', () => inspected.network.layers.install('story', [http.get('/other', resolve)])],
    ['a switch', () => inspected.inspection.setEnabled(idAt(0), false)],
    ['an override', () => inspected.inspection.override(idAt(0), { delay: 5 })],
    ['a request', () => ask('/user')],
    ['reset', () => inspected.inspection.reset()],
    ['a new beginning', () => inspected.inspection.clear()],
  ])('is called after %s', async (_, change) => {
    start([http.get('/user', resolve, { once: true })])
    const told = vi.fn<(snapshot: Snapshot) => void>()
    inspected.inspection.subscribe(told)
    await change()
    await expect.poll(() => told.mock.calls.length).toBe(1)
  })

  test('is called after handlers were restored', async () => {
    start([http.get('/user', resolve, { once: true })])
    await ask('/user')
    const told: Snapshot[] = []
    inspected.inspection.subscribe((snapshot) => told.push(snapshot))
    inspected.network.layers.restore()
    await expect.poll(() => told).toMatchObject([{ handlers: [{ isUsedUp: false }] }])
  })

  test.each(['subscribe', 'onChange'] as const)('that throws does not affect the others: %s', async (name) => {
    start([http.get('/user', resolve)])
    const told = vi.fn<(snapshot: Snapshot) => void>()
    const changed = vi.fn<() => void>()
    inspected.inspection[name](() => {
      throw new Error('Boom')
    })
    inspected.inspection.subscribe(told)
    inspected.inspection.onChange(changed)
    await ask('/user')
    await expect.poll(() => told.mock.calls.length).toBe(1)
    expect(changed).toHaveBeenCalledOnce()
    expect(console.error).toHaveBeenCalledOnce()
  })

  test('without a snapshot is also called once for all changes in one task', async () => {
    start([http.get('/user', resolve)])
    const changed = vi.fn<(...args: unknown[]) => void>()
    const end = inspected.inspection.onChange(changed)
    await Promise.all([ask('/user'), ask('/users')])
    inspected.inspection.override(idAt(0), { status: 500 })
    await expect.poll(() => changed.mock.calls).toEqual([[]])
    end()
    await ask('/user')
    await new Promise((wait) => setTimeout(wait, 5))
    expect(changed).toHaveBeenCalledOnce()
  })
})

test('a second inspection of the same network is the first', () => {
  start([])
  expect(inspect({ '~network': inspected.network })).toBe(inspected.inspection)
})
