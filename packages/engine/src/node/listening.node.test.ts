import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import axios from 'axios'
import { request as undiciRequest } from 'undici'
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
  ['undici', async (url) => (await undiciRequest(url)).body.text()],
  ['axios', async (url) => (await axios.get<string>(url, { responseType: 'text' })).data],
  [
    'http.get',
    (url) =>
      new Promise((resolve, reject) => {
        // Each uses a separate connection.
        get(url, { agent: false }, (response) => resolve(text(response))).on('error', reject)
      }),
  ],
]

describe.each(clients)('two servers that listen, and %s', (_name, ask) => {
  test('the later one is asked first, and a request that only one mocks is mocked, regardless of the policies', async () => {
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

  test('a request is unhandled only if no server handles it: otherwise no warning, no event', async () => {
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

  test('a request without a response from the first server is passed to the other server, and is not unhandled', async () => {
    earlier.listen()
    later.listen()
    later.use(http.get('*', () => {}))
    expect(await ask(`${origin}/earlier`)).toBe('earlier')
    expect(await ask(`${origin}/neither`)).toBe('real')
    expect(console.warn).toHaveBeenLastCalledWith(expect.stringContaining('returned no response'))
    later.resetHandlers()
    earlier.use(http.get('*', () => {}))
    expect(await ask(`${origin}/neither`)).toBe('real')
    earlier.resetHandlers()
    expect(console.error).not.toHaveBeenCalled()
  })

  test.each(['earlier', 'later'] as const)(
    'a request fails if a handler of the %s returns no response and its policy is "error"',
    async (strict) => {
      earlier.listen({ onUnhandledRequest: strict === 'earlier' ? 'error' : 'bypass' })
      later.listen({ onUnhandledRequest: strict === 'later' ? 'error' : 'bypass' })
      const server = strict === 'earlier' ? earlier : later
      server.use(http.get('*', () => {}))
      await expect(ask(`${origin}/neither`)).rejects.toThrow(/fetch failed|returned no response/)
      expect(console.error).toHaveBeenLastCalledWith(expect.stringMatching(/returned no response.*\(US0224\)$/))
      expect(await ask(`${origin}/both`)).toBe('later')
      server.resetHandlers()
      expect(reached).toEqual([])
    },
  )

  test('calling listen() again keeps the order, and if one server closes, the other one decides', async () => {
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

  /** Returns the first message, or the error of the connection. */
  const connect = (path: string, Class = WebSocket) =>
    new Promise<unknown>((resolve) => {
      const socket = new Class(`${origin.replace('http', 'ws')}${path}`)
      socket.addEventListener('message', ({ data }) => {
        resolve(data)
        socket.close()
      })
      socket.addEventListener('error', () => resolve('failed'))
    })

  test('the later one is asked first, and a request that only one mocks is mocked, regardless of the policies', async () => {
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

  test('closing in any order restores the platform’s class, and a stored class works meanwhile', async () => {
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
      // No server accepts WebSocket connections there.
      expect(await connect('/both', Kept)).toBe('failed')
    }
  })
})
