/** Tests globals that a test environment replaced before the engine was loaded, like older versions of Vitest with jsdom. */
import { get, request } from 'node:http'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type * as Index from '../index.ts'
import type * as ServerNode from '../server-node.ts'
import type * as SetupServer from './setup-server.ts'

/** The package has no types. */
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  JSDOM: new (html: string, options: { url: string }) => { window: typeof globalThis }
}
const url = 'http://api.example.com/repairs'

let engine: typeof Index
let server: SetupServer.Server
let listen: typeof ServerNode.listen

beforeAll(async () => {
  const { window } = new JSDOM('', { url: 'http://localhost/' })
  for (const name of ['AbortController', 'AbortSignal', 'Event', 'EventTarget'] as const) {
    vi.stubGlobal(name, window[name])
  }
  vi.resetModules()
  engine = await import('../index.ts')
  server = (await import('./setup-server.ts')).setupServer()
  listen = (await import('../server-node.ts')).listen
  server.listen({ onUnhandledRequest: 'error' })
})
afterAll(() => {
  server.close()
  vi.unstubAllGlobals()
})

test('a request of node:http is answered', async () => {
  const { http, HttpResponse } = engine
  server.use(http.post(url, async ({ request: sent }) => HttpResponse.text(`${await sent.text()}, done`)))
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, (response) => resolve(text(response)))
    sent.on('error', reject)
    sent.end('red tandem')
  })
  expect(answer).toBe('red tandem, done')
})

test('its signal aborts when the client leaves', async () => {
  const leave = Promise.withResolvers<void>()
  const aborted = new Promise<AbortSignal>((resolve) => {
    server.use(
      engine.http.get(url, ({ request: { signal } }) => {
        signal.addEventListener('abort', () => resolve(signal))
        leave.resolve()
        return new Promise<never>(() => {})
      }),
    )
  })
  const sent = get(url).on('error', () => {})
  await leave.promise
  sent.destroy()
  expect((await aborted).aborted).toBe(true)
})

test('an event stream is answered', async () => {
  server.use(
    engine.sse(url, ({ client }) => {
      client.send({ data: 'ready' })
      client.close()
    }),
  )
  const response = await fetch(url, { headers: { accept: 'text/event-stream' } })
  expect(await response.text()).toContain('data: ready')
})

test('handlers that listen on a port answer', async () => {
  const { http, HttpResponse, passthrough } = engine
  const listening = await listen([http.get('/repairs', () => HttpResponse.json([]))], { port: 0 })
  server.use(http.get(`${listening.url}*`, () => passthrough()))
  try {
    expect(await (await fetch(new URL('/repairs', listening.url))).json()).toEqual([])
  } finally {
    await listening.close()
  }
})
