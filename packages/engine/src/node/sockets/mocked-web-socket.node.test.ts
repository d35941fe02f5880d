import { once, type EventEmitter } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

import { createClient } from 'graphql-ws'
import { io } from 'socket.io-client'
import { WebSocket as UndiciWebSocket } from 'undici'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import WsClient, { WebSocketServer } from 'ws'

import { graphql, ws, type Handler, type WebSocketLink } from '../../index.ts'
import { setupServer, type Server as MockServer } from '../../node.ts'

const url = 'ws://feed.test/live'
/** The handshake of a client, with the key of the example in the specification. */
const opening =
  'GET /live HTTP/1.1\r\nHost: feed.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'
let link: WebSocketLink
let server: MockServer | undefined

beforeEach(() => {
  link = ws.link(url)
})
afterEach(() => server?.close())

function listen(...handlers: Handler[]): void {
  server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'error' })
}

/** A client and what it gets: texts, bytes as arrays, and at the end the code, the reason, and whether there was an error. */
interface Client {
  readonly got: unknown[]
  readonly protocol: string
  send(data: string | Uint8Array): void
  close(code?: number, reason?: string): void
  /** Breaks the connection off. */
  terminate(): void
  readonly isOpen: Promise<unknown>
  readonly isClosed: Promise<unknown>
}

function openWs(target: string, protocols: string[] = [], options = {}): Client {
  const socket = new WsClient(target, protocols, { rejectUnauthorized: false, ...options })
  const got: unknown[] = []
  socket.on('message', (data: Buffer, isBinary) => got.push(isBinary ? [...data] : data.toString()))
  socket.on('error', (error) => got.push(error.message))
  socket.on('close', (code, reason) => got.push(code, reason.toString()))
  return {
    got,
    get protocol() {
      return socket.protocol
    },
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    isOpen: once(socket, 'open'),
    isClosed: new Promise((resolve) => socket.on('close', resolve)),
  }
}

function openUndici(target: string, protocols: string[] = []): Client {
  const socket = new UndiciWebSocket(target, protocols)
  socket.binaryType = 'arraybuffer'
  const got: unknown[] = []
  const on = (type: string, listener: (event: never) => void): Promise<unknown> => {
    socket.addEventListener(type as 'open', listener as () => void)
    return new Promise((resolve) => socket.addEventListener(type as 'open', resolve as () => void))
  }
  void on('message', ({ data }: { data: string | ArrayBuffer }) =>
    got.push(typeof data === 'string' ? data : [...new Uint8Array(data)]),
  )
  const isClosed = on('close', ({ code, reason }: { code: number; reason: string }) => got.push(code, reason))
  return {
    got,
    get protocol() {
      return socket.protocol
    },
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => {},
    isOpen: on('open', () => {}),
    isClosed,
  }
}

describe.each([
  ['the package ws', openWs],
  ['the WebSocket of undici', openUndici],
])('%s', (_name, open) => {
  test.each([url, 'wss://feed.test/live'])('exchanges texts and bytes with a handler: %s', async (target) => {
    listen(
      ws.link(target).addEventListener('connection', ({ client, info }) => {
        client.send(`hello ${[info.protocols].flat().join()}`)
        client.addEventListener('message', ({ data }) => client.send(data as string))
      }),
    )
    const client = open(target, ['b', 'a'])
    await client.isOpen
    expect(client.protocol).toBe('b')
    const long = 'ü€😀'.repeat(20_000)
    client.send(long)
    client.send(new Uint8Array([0, 255, 3]))
    client.send('')
    client.send('x'.repeat(200))
    await expect.poll(() => client.got.length).toBe(5)
    expect(client.got).toEqual(['hello b,a', long, [0, 255, 3], '', 'x'.repeat(200)])
    client.close(4001, 'done')
    await client.isClosed
    expect(client.got.slice(5)).toEqual([4001, 'done'])
  })

  test('is closed by a handler, after the messages before', async () => {
    listen(
      link.addEventListener('connection', ({ client }) => {
        client.send('last')
        client.close(4000, 'enough')
      }),
    )
    const client = open(url)
    await client.isClosed
    expect(client.got).toEqual(['last', 4000, 'enough'])
  })

  test('gets the code 1011 if a handler throws in a message', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    listen(
      link.addEventListener('connection', ({ client }) => {
        client.addEventListener('message', () => {
          throw new Error('no such room')
        })
      }),
    )
    const client = open(url)
    await client.isOpen
    client.send('join')
    await client.isClosed
    print.mockRestore()
    expect(client.got).toEqual([1011, 'no such room'])
  })

  test('is one of the clients of the link, and gets broadcasts', async () => {
    listen(link.addEventListener('connection', () => {}))
    const client = open(url)
    await client.isOpen
    expect(link.clients.size).toBe(1)
    link.broadcast('to all')
    await expect.poll(() => client.got).toEqual(['to all'])
    client.close()
    await client.isClosed
    await expect.poll(() => link.clients.size).toBe(0)
  })
})

test('a handler that connects to the server forwards messages with the headers of the client', async () => {
  const real = new WebSocketServer({ port: 0 })
  real.on('connection', (socket, { headers }) => {
    socket.send(`${headers.authorization} ${headers['cookie']}`)
    socket.on('message', (data) => socket.send(`real ${(data as Buffer).toString()}`))
  })
  await once(real, 'listening')
  const target = `ws://localhost:${(real.address() as AddressInfo).port}/feed`
  listen(
    ws.link(target).addEventListener('connection', ({ client, server: upstream }) => {
      upstream.connect()
      client.addEventListener('message', (event) => {
        if (event.data !== 'mocked?') return
        event.preventDefault()
        client.send('mocked')
      })
    }),
  )
  const client = openWs(target, [], { headers: { Authorization: 'Bearer 1', Cookie: 'a=1' } })
  await client.isOpen
  client.send('mocked?')
  client.send('hello')
  await expect.poll(() => client.got.length).toBe(3)
  expect(new Set(client.got)).toEqual(new Set(['Bearer 1 a=1', 'mocked', 'real hello']))
  client.close(4005, 'bye')
  await client.isClosed
  real.close()
})

test('a connection that a handler refuses fails, and the server is not reached', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  listen(
    link.addEventListener('connection', () => {
      throw new Error('not today')
    }),
  )
  const client = openWs(url)
  client.isOpen.catch(() => {})
  await client.isClosed
  expect(client.got).toEqual([expect.stringContaining('hang up'), 1006, ''])
  expect(String(print.mock.calls[0]?.[0])).toContain('Failed to handle the connection to ws://feed.test/live')
  print.mockRestore()
})

test('handlers see how the client has left', async () => {
  const closes: unknown[] = []
  listen(
    link.addEventListener('connection', ({ client }) => {
      client.addEventListener('close', ({ code, reason }) => closes.push([code, reason]))
    }),
  )
  const [withoutCode, withCode, broken] = [openWs(url), openWs(url), openWs(url)]
  await Promise.all([withoutCode.isOpen, withCode.isOpen, broken.isOpen])
  withoutCode.close()
  await withoutCode.isClosed
  withCode.close(3000, 'moved')
  await withCode.isClosed
  broken.terminate()
  await broken.isClosed
  await expect
    .poll(() => closes)
    .toEqual([
      [1005, ''],
      [3000, 'moved'],
      [1006, ''],
    ])
})

test('handlers see that a client has left before its connection opened', async () => {
  const silent = createServer().listen(0)
  await once(silent, 'listening')
  const target = `ws://localhost:${(silent.address() as AddressInfo).port}/`
  const closes: unknown[] = []
  const isAsked = new Promise<void>((resolve) => {
    listen(
      ws.link(target).addEventListener('connection', ({ client, server: upstream }) => {
        client.addEventListener('close', ({ code }) => closes.push(code))
        // The connection opens together with the real one, which never does.
        upstream.connect()
        resolve()
      }),
    )
  })
  const client = openWs(target)
  client.isOpen.catch(() => {})
  await isAsked
  expect(closes).toEqual([])
  client.terminate()
  await client.isClosed
  await expect.poll(() => closes).toEqual([1006])
  silent.close()
})

test('messages for a client that has ended its side cause no error', async () => {
  listen(
    link.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', () => {
        for (let count = 0; count < 100; count += 1) client.send(`message ${count}`)
      })
    }),
  )
  const socket = connect(80, 'feed.test')
  const errors: unknown[] = []
  socket.on('error', (error) => errors.push(error))
  socket.write(opening)
  await once(socket, 'data')
  socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61]))
  await once(socket, 'data')
  // The other messages are not sent yet.
  socket.end()
  socket.resume()
  await once(socket, 'close')
  expect(errors).toEqual([])
  await expect.poll(() => link.clients.size).toBe(0)
})

test('a client that has ended its side and reads late gets the messages that were sent before', async () => {
  const closed = vi.fn<() => void>()
  listen(
    link.addEventListener('connection', ({ client }) => {
      client.addEventListener('close', closed)
      client.addEventListener('message', () => {
        for (let count = 0; count < 100; count += 1) client.send('x'.repeat(60_000))
      })
    }),
  )
  const socket = connect(80, 'feed.test')
  const errors: unknown[] = []
  socket.on('error', (error) => errors.push(error))
  socket.write(opening)
  await once(socket, 'data')
  socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61]))
  await once(socket, 'data')
  socket.pause()
  // Some of the messages wait for the client, and others are not sent yet.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  socket.end()
  await expect.poll(() => closed.mock.calls.length).toBe(1)
  let size = 0
  socket.on('data', (chunk: Buffer) => (size += chunk.length)).resume()
  await once(socket, 'close')
  expect(errors).toEqual([])
  // A frame has 4 bytes before 60,000 bytes of text.
  expect(size % 60_004).toBe(0)
  expect(size / 60_004).toBeGreaterThan(10)
  expect(size / 60_004).toBeLessThan(99)
})

test('a request without the key of a WebSocket gets the status 400', async () => {
  const handled = vi.fn<() => void>()
  listen(link.addEventListener('connection', handled))
  const socket = connect(80, 'feed.test')
  socket.write(opening.replace(/Sec-WebSocket-Key.*\r\n/, ''))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(answer.toString()).toMatch(/^HTTP\/1.1 400 [^]*Sec-WebSocket-Key/)
  expect(handled).not.toHaveBeenCalled()
})

describe('frames', () => {
  /** Opens a connection by hand, and sends bytes. Returns the rest of what arrives after the handshake. */
  async function exchange(...frames: (readonly number[] | Buffer)[]): Promise<Buffer> {
    listen(
      link.addEventListener('connection', ({ client }) =>
        client.addEventListener('message', ({ data }) => client.send(data as string)),
      ),
    )
    const socket = connect(80, 'feed.test')
    socket.write(opening)
    let received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])))
    await expect.poll(() => received.toString('latin1')).toContain('\r\n\r\n')
    // The example of the specification.
    expect(received.toString('latin1')).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n')
    const ended = once(socket, 'end')
    for (const frame of frames) {
      socket.write(Buffer.from(frame))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await ended
    socket.destroy()
    return received.subarray(received.indexOf('\r\n\r\n') + 4)
  }
  const masked = (first: number, payload: readonly number[]): number[] => [
    first,
    0x80 | payload.length,
    0,
    0,
    0,
    0,
    ...payload,
  ]
  const close = masked(0x88, [0x03, 0xe8])
  const closed = (code: number): Buffer => Buffer.from([code >> 8, code & 255])

  test('fragments are joined, and a ping between them is answered', async () => {
    const parts = [masked(0x01, [0x61]), masked(0x89, [7]), masked(0x00, [0x62]), masked(0x80, [0x63]), close]
    const answer = await exchange(...parts)
    expect([...answer]).toEqual([0x8a, 1, 7, 0x81, 3, 0x61, 0x62, 0x63, 0x88, 2, 0x03, 0xe8])
  })

  test('a frame arrives byte by byte, with a mask', async () => {
    const payload = [0x68, 0x69].map((byte, index) => byte ^ [1, 2][index]!)
    const bytes = [0x81, 0x82, 1, 2, 3, 4, ...payload].map((byte) => [byte])
    const answer = await exchange(...bytes, close)
    expect([...answer].slice(0, 4)).toEqual([0x81, 2, 0x68, 0x69])
  })

  test.each([
    ['without a mask', [0x81, 1, 0x61], 1002],
    ['with a reserved bit', masked(0xc1, [0x61]), 1002],
    ['of an unknown type', masked(0x83, [0x61]), 1002],
    ['that continues nothing', masked(0x80, [0x61]), 1002],
    ['with a text that is not UTF-8', masked(0x81, [0xff]), 1007],
    ['that is too long', [0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1009],
    ['that is a ping in two parts', masked(0x09, [1]), 1002],
    ['with half of a code', masked(0x88, [3]), 1002],
  ])('a frame %s closes the connection', async (_name, frame, code) => {
    const answer = await exchange(frame)
    expect(answer[0]).toBe(0x88)
    expect(answer.subarray(2, 4)).toEqual(closed(code))
  })
})

test('the client of Socket.IO gets a reply', async () => {
  listen(
    ws.link('ws://feed.test').addEventListener('connection', ({ client }) => {
      client.send('0{"sid":"1","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}')
      client.addEventListener('message', ({ data }) => {
        if (data === '40') client.send('40{"sid":"1"}')
        if (data === '42["boats"]') client.send('42["boats",["Petrel"]]')
      })
    }),
  )
  const socket = io('http://feed.test', { transports: ['websocket'] })
  const reply = once(socket as unknown as EventEmitter, 'boats')
  socket.emit('boats')
  expect(await reply).toEqual([['Petrel']])
  socket.close()
})

test('a subscription of graphql-ws with the package ws', async () => {
  listen(
    graphql.subscription('Tides', async function* () {
      yield { data: { height: 4 } }
    }),
  )
  const client = createClient({ url: 'ws://feed.test/graphql', webSocketImpl: WsClient })
  const results: unknown[] = []
  for await (const result of client.iterate({ query: 'subscription Tides { height }' })) results.push(result)
  expect(results).toEqual([{ data: { height: 4 } }])
  await client.dispose()
})
