import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Agent, createServer, get, request, Server, type IncomingMessage } from 'node:http'
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

/** Returns the messages that tracing tools get from Node and undici. */
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

describe('tools that trace servers see only the servers of the app', () => {
  const paths = [['mocked'], ['passed']] as const
  const serverChannels = ['http.server.request.start', 'http.server.response.created', 'http.server.response.finish']

  async function readBy(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      get(`${origin}/${path}`, (message) => void text(message).then(resolve, reject)).on('error', reject)
    })
  }

  function listen(): void {
    server.use(
      http.get('*/mocked', () => HttpResponse.text('mocked')),
      http.get('*/passed', () => passthrough()),
    )
    server.listen({ onUnhandledRequest: 'error' })
  }

  test.each(paths)('by diagnostics_channel: %s', async (path) => {
    listen()
    const seen: string[] = []
    const note = (_message: unknown, name: string | symbol): void => void seen.push(String(name))
    for (const name of serverChannels) subscribe(name, note)
    try {
      expect(await readBy(path)).toBe(path === 'mocked' ? 'mocked' : 'real')
    } finally {
      for (const name of serverChannels) unsubscribe(name, note)
    }
    expect(seen.toSorted()).toEqual(path === 'mocked' ? [] : serverChannels.toSorted())
  })

  test.each(paths)('by a replaced method of the class: %s', async (path) => {
    listen()
    const seen: unknown[] = []
    const emit = Server.prototype.emit as (...args: unknown[]) => boolean
    Server.prototype.emit = function (this: Server, ...args: unknown[]) {
      if (args[0] === 'request') seen.push(this)
      return Reflect.apply(emit, this, args)
    }
    try {
      expect(await readBy(path)).toBe(path === 'mocked' ? 'mocked' : 'real')
    } finally {
      Reflect.deleteProperty(Server.prototype, 'emit')
    }
    expect(seen).toEqual(path === 'mocked' ? [] : [real])
  })
})

describe('tools that trace fetch', () => {
  /** Adds a header to each request, like tools that trace a request through several services. */
  function addHeader(message: unknown): void {
    const { request: traced } = message as { request: { addHeader(name: string, value: string): void } }
    traced.addHeader('traceparent', '00-1')
  }

  test.each([
    ['the text of a URL', () => fetch(`${origin}/a`)],
    ['a Request', () => fetch(new Request(`${origin}/a`, { method: 'POST', body: 'body' }))],
    ['a redirect', () => fetch(`${origin}/to-a`)],
  ])('get the messages of a mocked request, and may add headers to it: %s', async (_name, run) => {
    server.use(
      http.all('*/to-a', () => HttpResponse.redirect(`${origin}/a`)),
      http.all('*/a', ({ request: { headers } }) => HttpResponse.text(`mocked ${headers.get('traceparent')}`)),
    )
    server.listen({ onUnhandledRequest: 'error' })
    subscribe('undici:request:create', addHeader)
    try {
      const seen = await trace(async () => expect(await (await run()).text()).toBe('mocked 00-1'))
      expect(seen).toEqual(
        expect.arrayContaining(['undici:request:create', 'undici:request:headers', 'undici:request:trailers']),
      )
    } finally {
      unsubscribe('undici:request:create', addHeader)
    }
  })

  test('a passthrough request is reported once', async () => {
    server.use(http.all('*/a', () => passthrough()))
    server.listen({ onUnhandledRequest: 'error' })
    const seen = await trace(async () => expect(await (await fetch(`${origin}/a`)).text()).toBe('real'))
    expect(seen.filter((name) => name === 'undici:request:create')).toHaveLength(1)
    expect(seen.filter((name) => name === 'undici:request:trailers')).toHaveLength(1)
  })

  test('a mocked request does not reach the call’s dispatcher', async () => {
    server.use(http.all('*/a', () => HttpResponse.text('mocked')))
    server.listen({ onUnhandledRequest: 'error' })
    const dispatcher = {
      dispatch() {
        throw new Error('the dispatcher was asked')
      },
    }
    await trace(async () => {
      const response = await fetch(`${origin}/a`, { dispatcher } as RequestInit)
      expect(await response.text()).toBe('mocked')
    })
  })
})
