import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { Client } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { http, HttpResponse, passthrough } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

const real = createServer((incoming, outgoing) => {
  if (incoming.url === '/broken') outgoing.destroy()
  else outgoing.end('real')
})
const server = setupServer()
let origin = ''

beforeAll(async () => {
  await once(real.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
})
afterEach(() => {
  server.resetHandlers()
  server.close()
})
afterAll(() => real.close())

const channels = [
  'net.client.socket',
  'http.client.request.created',
  'http.client.request.start',
  'http.client.request.error',
  'http.client.response.finish',
  'undici:client:connected',
  'undici:request:create',
  'undici:client:sendHeaders',
  'undici:request:headers',
  'undici:request:trailers',
  'undici:request:error',
]

/** The messages that tools which trace requests get from Node and undici. */
async function trace(run: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  const listeners = channels.map((name) => [name, () => void seen.push(name)] as const)
  for (const [name, listener] of listeners) subscribe(name, listener)
  try {
    await run()
    return seen
  } finally {
    for (const [name, listener] of listeners) unsubscribe(name, listener)
  }
}

const clients: Record<string, (paths: readonly string[]) => Promise<void>> = {
  async 'node:http'(paths) {
    const agent = new Agent({ keepAlive: true })
    for (const path of paths) {
      const message = request(origin + path, { agent, method: 'POST' })
      const closed = new Promise((resolve) => message.once('close', resolve))
      message.on('error', () => {})
      message.on('response', (response: IncomingMessage) => void text(response))
      message.end('body')
      await closed
      // The agent takes the socket back after the event.
      await new Promise(setImmediate)
    }
    agent.destroy()
  },
  async undici(paths) {
    const client = new Client(origin)
    for (const path of paths) {
      await client.request({ path, method: 'POST', body: 'body' }).then(
        ({ body }) => body.text(),
        () => {},
      )
    }
    await client.close()
  },
}

describe.each(Object.entries(clients))(
  'diagnostics_channel has the messages of each request once, by %s',
  (_name, run) => {
    test.each<[name: string, paths: string[]]>([
      ['two requests on one connection', ['/a', '/b']],
      ['a request that fails', ['/broken']],
    ])('%s', async (_kind, paths) => {
      const expected = await trace(() => run(paths))
      expect(expected).toContain('net.client.socket')
      server.use(
        http.post('*/broken', () => HttpResponse.error({ fault: 'empty-response' })),
        http.post('*', () => HttpResponse.text('mocked')),
      )
      server.listen({ onUnhandledRequest: 'error' })
      expect(await trace(() => run(paths))).toEqual(expected)
      server.resetHandlers()
      server.use(http.post('*', () => passthrough()))
      expect(await trace(() => run(paths))).toEqual(expected)
    })
  },
)
