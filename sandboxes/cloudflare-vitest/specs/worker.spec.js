import { http, HttpResponse } from '@understudy/engine'
import { server } from '@understudy/vite-plugin/vitest'
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'

import worker from '../src/worker.js'

const clients = {
  /** The Worker runs in the request's own context. */
  'as a service': (path, init) => exports.default.fetch(`https://shop.example${path}`, init),
  /** The Worker runs in the test's context. */
  'as a function': async (path, init) => {
    const ctx = createExecutionContext()
    const response = await worker.fetch(new Request(`https://shop.example${path}`, init), env, ctx)
    await waitOnExecutionContext(ctx)
    return response
  },
}

describe.each(Object.keys(clients))('a Worker that is called %s', (name) => {
  const call = clients[name]
  const readText = async (path, init) => (await call(path, init)).text()
  const readJson = async (path, init) => (await call(path, init)).json()

  beforeEach(() => env.CACHE.delete('price'))

  test('its requests are mocked', async () => {
    expect(await readJson('/price')).toEqual({ price: 7 })
    expect(await readJson('/moved')).toEqual({ url: 'https://api.example/price', redirected: true })
    expect(await readText('/parts')).toBe('one two')
    expect(await readText('/cached')).toBe('read 7')
    expect(await readText('/cached')).toBe('cached 7')
    expect(await readJson('/https')).toEqual({ price: 7 })
  })

  test('a test has its own handlers', async () => {
    server.use(http.get('https://api.example/price', () => HttpResponse.json({ price: 9 })))
    expect(await readJson('/price')).toEqual({ price: 9 })
    expect(await readJson('/counter')).toMatchObject({ price: { price: 9 } })
  })

  test('its Durable Objects are mocked', async () => {
    expect(await readJson('/counter')).toMatchObject({ price: { price: 7 } })
  })

  test('its WebSockets are mocked', async () => {
    expect(await readText('/socket')).toBe('hello')
  })

  test('its event streams are mocked', async () => {
    expect(await readText('/events')).toBe('mocked')
  })

  test('a handler answers an upgrade with a WebSocketPair', async () => {
    server.use(
      http.get('https://api.example/echo', () => {
        const { 0: client, 1: end } = new WebSocketPair()
        end.accept()
        end.addEventListener('message', ({ data }) => end.send(`paired ${data}`))
        return new Response(null, { status: 101, webSocket: client })
      }),
    )
    expect(await readText('/upgrade')).toBe('paired hello')
  })

  test('a network error and a time-out are errors of fetch', async () => {
    expect(await readJson('/down')).toEqual({ name: 'TypeError', message: 'fetch failed', code: 'ECONNREFUSED' })
    expect(await readJson('/unreachable')).toMatchObject({ name: 'TypeError', message: 'fetch failed' })
    expect(await readJson('/slow')).toMatchObject({ name: 'TimeoutError' })
  })

  test('a handler reads the bodies that were sent', async () => {
    const bodies = []
    server.use(
      http.post('https://api.example/orders', async ({ request }) => {
        bodies.push(await request.json())
      }),
    )
    expect(await readJson('/proxy', { method: 'POST', body: '{"seats":1}' })).toEqual({ seats: 1 })
    expect(await readJson('/order')).toEqual({ seats: 2 })
    expect(await readText('/later')).toBe('ordered')
    await expect.poll(() => bodies).toEqual([{ seats: 1 }, { seats: 2 }, { seats: 3 }])
    await expect.poll(() => server.requests()).toHaveLength(3)
    const sent = { method: 'POST', outcome: 'mocked', url: 'https://api.example/orders' }
    expect(server.requests()).toMatchObject([sent, sent, sent])
  })

  test('bad: an unhandled request', async () => {
    expect(await readJson('/unknown')).toMatchObject({ name: 'TypeError', code: 'US0828' })
  })
})

test('the handlers answer the requests of a Worker behind a service binding', async () => {
  const response = await env.STOCK.fetch('https://stock.example/')
  expect(await response.json()).toEqual({ price: 7 })
  expect(server.requests()).toEqual([])
})

test('a scheduled event is mocked', async () => {
  await worker.scheduled()
  expect(server.requests()).toMatchObject([{ outcome: 'mocked', url: 'https://api.example/orders' }])
})

describe.concurrent('concurrent tests', () => {
  test.for(['1', '2', '3'])('%s', async (price, { expect: expectOwn }) => {
    server.use(http.get('https://api.example/price', () => HttpResponse.json({ price })))
    const response = await clients['as a function']('/price')
    expectOwn(await response.json()).toEqual({ price })
  })
})
