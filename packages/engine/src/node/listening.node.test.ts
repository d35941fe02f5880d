import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { http, HttpResponse, ws } from '../index.ts'
import { setupServer } from './setup-server.ts'

let reached: string[] = []
const backend = createServer((request, response) => {
  reached.push(request.url ?? '')
  response.end('real')
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, resolve))
  origin = `http://localhost:${(backend.address() as AddressInfo).port}`
})
afterAll(() => backend.close())

const answer = (path: string, body: string) => http.get(`*${path}`, () => HttpResponse.text(body))
const earlier = setupServer(answer('/both', 'earlier'), answer('/earlier', 'earlier'))
const later = setupServer(answer('/both', 'later'), answer('/later', 'later'))

beforeEach(() => {
  reached = []
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  earlier.close()
  later.close()
  vi.restoreAllMocks()
})

const clients: [name: string, ask: (url: string) => Promise<string>][] = [
  ['fetch', async (url) => (await fetch(url)).text()],
  [
    'http.get',
    (url) =>
      new Promise((resolve, reject) => {
        // Each over a connection of its own.
        get(url, { agent: false }, (response) => resolve(text(response))).on('error', reject)
      }),
  ],
]

describe.each(clients)('two servers that listen, and %s', (_name, ask) => {
  test('the later one is asked first, and what only one mocks is mocked, whatever the policies are', async () => {
    earlier.listen({ onUnhandledRequest: 'error' })
    later.listen({ onUnhandledRequest: 'error' })
    expect(await ask(`${origin}/both`)).toBe('later')
    expect(await ask(`${origin}/later`)).toBe('later')
    expect(await ask(`${origin}/earlier`)).toBe('earlier')
    expect(console.error).not.toHaveBeenCalled()
    await expect(ask(`${origin}/neither`)).rejects.toThrow(/fetch failed|no handler matches it/)
    expect(reached).toEqual([])
  })

  test.each([
    ['error', 'bypass'],
    ['bypass', 'error'],
  ] as const)('what neither mocks fails where one of the policies says so (%s, %s)', async (ofEarlier, ofLater) => {
    earlier.listen({ onUnhandledRequest: ofEarlier })
    later.listen({ onUnhandledRequest: ofLater })
    await expect(ask(`${origin}/neither`)).rejects.toThrow(/fetch failed|no handler matches it/)
    expect(await ask(`${origin}/earlier`)).toBe('earlier')
    expect(await ask(`${origin}/later`)).toBe('later')
    expect(reached).toEqual([])
    expect(console.error).toHaveBeenCalledTimes(1)
  })

  test('a request is unhandled only where nobody handles it: no warning, no event', async () => {
    const unhandled: string[] = []
    for (const server of [earlier, later]) {
      server.events.on('request:unhandled', ({ request }) => unhandled.push(new URL(request.url).pathname))
      server.listen()
    }
    await ask(`${origin}/earlier`)
    await ask(`${origin}/later`)
    expect(unhandled).toEqual([])
    expect(console.warn).not.toHaveBeenCalled()
    expect(await ask(`${origin}/neither`)).toBe('real')
    expect(unhandled).toEqual(['/neither', '/neither'])
    for (const server of [earlier, later]) server.events.removeAllListeners()
  })

  test('what a handler leaves to others is asked of the other server, and is not unhandled', async () => {
    earlier.listen({ onUnhandledRequest: 'error' })
    later.listen({ onUnhandledRequest: 'error' })
    later.use(http.get('*', () => {}))
    expect(await ask(`${origin}/earlier`)).toBe('earlier')
    expect(await ask(`${origin}/neither`)).toBe('real')
    later.resetHandlers()
    earlier.use(http.get('*', () => {}))
    expect(await ask(`${origin}/neither`)).toBe('real')
    earlier.resetHandlers()
    expect(console.error).not.toHaveBeenCalled()
  })

  test('calling listen() again keeps the order; the one that is left decides when the other is closed', async () => {
    earlier.listen({ onUnhandledRequest: 'bypass' })
    later.listen({ onUnhandledRequest: 'bypass' })
    earlier.listen({ onUnhandledRequest: 'bypass' })
    expect(await ask(`${origin}/both`)).toBe('later')
    later.close()
    later.close()
    expect(await ask(`${origin}/both`)).toBe('earlier')
    earlier.close()
    expect(await ask(`${origin}/both`)).toBe('real')
  })
})

describe('two servers that listen, and WebSocket', () => {
  const greet = (path: string, message: string) =>
    ws.link(`*${path}`).addEventListener('connection', ({ client }) => client.send(message))

  beforeEach(() => {
    earlier.use(greet('/both', 'earlier'), greet('/earlier', 'earlier'))
    later.use(greet('/both', 'later'), greet('/later', 'later'))
  })
  afterEach(() => {
    for (const server of [earlier, later]) {
      server.resetHandlers()
      server.events.removeAllListeners()
    }
  })

  /** The first message, or how the connection failed. */
  const connect = (path: string, Class = WebSocket) =>
    new Promise<unknown>((resolve) => {
      const socket = new Class(`${origin.replace('http', 'ws')}${path}`)
      socket.addEventListener('message', ({ data }) => {
        resolve(data)
        socket.close()
      })
      socket.addEventListener('error', () => resolve('failed'))
    })

  test('the later one is asked first, and what only one mocks is mocked, whatever the policies are', async () => {
    earlier.listen({ onUnhandledRequest: 'error' })
    later.listen({ onUnhandledRequest: 'error' })
    expect(await connect('/both')).toBe('later')
    expect(await connect('/later')).toBe('later')
    expect(await connect('/earlier')).toBe('earlier')
    expect(console.error).not.toHaveBeenCalled()
  })

  test('calling listen() again keeps the order', async () => {
    earlier.listen()
    later.listen()
    earlier.listen()
    expect(await connect('/both')).toBe('later')
  })

  test.each([
    ['error', 'bypass'],
    ['bypass', 'error'],
  ] as const)('what neither mocks fails where one of the policies says so (%s, %s)', async (ofEarlier, ofLater) => {
    earlier.listen({ onUnhandledRequest: ofEarlier })
    later.listen({ onUnhandledRequest: ofLater })
    expect(await connect('/neither')).toBe('failed')
    expect(reached).toEqual([])
    expect(console.error).toHaveBeenCalledTimes(1)
  })

  test('closing in any order leaves the platform’s class, and a class that was kept works in between', async () => {
    const native = WebSocket
    for (const [first, second] of [
      [earlier, later],
      [later, earlier],
    ] as const) {
      earlier.listen()
      later.listen()
      const Kept = WebSocket
      expect(Kept).not.toBe(native)
      first.close()
      expect(await connect('/both', Kept)).toBe(second === later ? 'later' : 'earlier')
      second.close()
      expect(WebSocket).toBe(native)
      // Nobody upgrades there.
      expect(await connect('/both', Kept)).toBe('failed')
    }
  })
})
