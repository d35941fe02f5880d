import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { createConnection, type AddressInfo } from 'node:net'

import { WebSocket as UndiciWebSocket } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import WsClient, { WebSocketServer } from 'ws'

import { certificate } from '../../../../../test/certificate.ts'
import { http, HttpResponse } from '../../index.ts'
import { setupServer, type ListenOptions, type Server as MockServer } from '../../node.ts'

let plain: WebSocketServer
let secure: Server
let url = ''
let secureUrl = ''
let connections = 0

beforeAll(async () => {
  const greet = (socket: WsClient): void => {
    connections += 1
    socket.send('hello from the server')
  }
  plain = new WebSocketServer({ port: 0, handleProtocols: (protocols) => [...protocols][0] ?? false })
  plain.on('connection', greet)
  secure = createServer(certificate).listen(0)
  new WebSocketServer({ server: secure }).on('connection', greet)
  await Promise.all([once(plain, 'listening'), once(secure, 'listening')])
  url = `ws://localhost:${(plain.address() as AddressInfo).port}/feed`
  secureUrl = `wss://localhost:${(secure.address() as AddressInfo).port}/feed`
})
afterAll(() => {
  plain.close()
  secure.close()
})

let server: MockServer | undefined
afterEach(() => {
  server?.close()
  connections = 0
  vi.restoreAllMocks()
})

function listen(options: ListenOptions): MockServer {
  server = setupServer(http.get('http://api.test/', () => HttpResponse.text('a')))
  server.listen(options)
  return server
}

/** Returns the first message of a client, or the reason why there is none. */
type Connect = (url: string, protocols?: string[]) => Promise<string>

const byEvents =
  (create: (url: string, protocols: string[]) => WebSocket): Connect =>
  (target, protocols = []) =>
    new Promise((resolve) => {
      const socket = create(target, protocols)
      socket.onmessage = ({ data }) => {
        resolve(String(data))
        socket.close()
      }
      socket.onerror = () => resolve('error')
      socket.onclose = () => resolve('closed')
    })

const clients: Record<string, Connect> = {
  'the global WebSocket': byEvents((target, protocols) => new WebSocket(target, protocols)),
  'a subclass of the global WebSocket': byEvents(
    (target, protocols) => new (class extends WebSocket {})(target, protocols),
  ),
  'the WebSocket of undici': byEvents(
    (target, protocols) => new UndiciWebSocket(target, protocols) as unknown as WebSocket,
  ),
  'the package ws': (target, protocols = []) =>
    new Promise((resolve) => {
      const socket = new WsClient(target, protocols, { rejectUnauthorized: false })
      socket.on('message', (data) => {
        resolve((data as Buffer).toString())
        socket.close()
      })
      socket.on('error', () => resolve('error'))
      socket.on('close', () => resolve('closed'))
    }),
}

describe.each(Object.entries(clients))('an unhandled WebSocket, by %s', (_name, connect) => {
  test('fails if the policy is "error", and does not reach the server', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    listen({ onUnhandledRequest: 'error' })
    expect(await connect(url)).toBe('error')
    expect(await connect(secureUrl)).toBe('error')
    expect(connections).toBe(0)
    expect(print.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining(`No handler matches the WebSocket connection to ${url}.`),
      expect.stringContaining(`No handler matches the WebSocket connection to ${secureUrl}.`),
    ])
  })

  test('causes one warning with a suggested handler', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    listen({})
    expect(await connect(url)).toBe('hello from the server')
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining(`ws.link('${url}').addEventListener('connection', ({ client }) => client.send('…'))`),
    )
  })

  test('is decided by a function, which is called once', async () => {
    const asked: unknown[] = []
    listen({
      onUnhandledRequest(request) {
        asked.push([request.url, request.headers.get('upgrade')])
        if (request.url.endsWith('?refused')) throw new Error('not this one')
      },
    })
    expect(await connect(`${url}?refused`)).toBe('error')
    expect(await connect(url)).toBe('hello from the server')
    expect(asked).toEqual([
      [`${url}?refused`, 'websocket'],
      [url, 'websocket'],
    ])
    expect(connections).toBe(1)
  })

  test('is a frame of the protocol "ws", with the subprotocols', async () => {
    const asked: unknown[] = []
    listen({
      onUnhandledFrame({ frame }) {
        if (frame.protocol !== 'ws') return
        const { client, info } = frame.data.connection
        asked.push(client.url.href, [info.protocols].flat())
        client.close()
      },
    })
    expect(await connect(url, ['a', 'b'])).toMatch(/^(?:error|closed)$/)
    expect(asked).toEqual([url, ['a', 'b']])
    expect(connections).toBe(0)
  })

  test('reaches the server without a message if the policy is "bypass"', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    listen({ onUnhandledRequest: 'bypass' })
    expect(await connect(url)).toBe('hello from the server')
    expect(warn).not.toHaveBeenCalled()
  })

  test('has the policy of every server that listens', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    listen({ onUnhandledRequest: 'bypass' })
    const strict = setupServer()
    strict.listen({ onUnhandledRequest: 'error' })
    const answer = await connect(url)
    strict.close()
    expect([answer, connections]).toEqual(['error', 0])
  })
})

test('the error of the package ws says what to do', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  listen({ onUnhandledRequest: 'error' })
  const [error] = (await once(new WsClient(url), 'error')) as [Error]
  expect(error.message).toBe(
    `Failed to open the WebSocket ${url}: no handler matches it and "onUnhandledRequest" is "error". Add a handler for it. (US0202)`,
  )
})

test('a URL that looks like that of an asset is reported too', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  listen({ onUnhandledRequest: 'error' })
  expect(await clients['the package ws']?.(`${url}.js`)).toBe('error')
})

test('a raw socket that requests a WebSocket gets no response of the server', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  listen({ onUnhandledRequest: 'error' })
  const socket = createConnection(Number(new URL(url).port), 'localhost')
  socket.on('error', () => {})
  socket.write(
    'GET /feed HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n' +
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  )
  await new Promise((resolve) => socket.once('close', resolve))
  expect(connections).toBe(0)
})
