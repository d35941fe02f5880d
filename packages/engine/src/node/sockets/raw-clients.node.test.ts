import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { connect, createServer as createRawServer, Socket, type AddressInfo, type NetConnectOpts } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'
import { readFirstBytes } from './first-bytes.ts'

let reached = 0
let aborted = 0
const backend = createServer((_request, response) => {
  reached += 1
  response.end('real '.repeat(40))
})
const server = setupServer(
  http.get('*/user', () => HttpResponse.text('mocked '.repeat(40))),
  http.get('*/slow', async ({ request }) => {
    request.signal.addEventListener('abort', () => (aborted += 1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    return HttpResponse.text('slow')
  }),
)
let port = 0

beforeAll(async () => {
  await once(backend.listen(0), 'listening')
  port = (backend.address() as AddressInfo).port
})
afterEach(() => {
  server.close()
  reached = 0
})
afterAll(() => {
  backend.close()
})

const head = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`

describe('a client that reads bytes with the option onread', () => {
  interface Received {
    /** The chunks of the callback, in their order. */
    pieces: string[]
    /** The numbers of the calls in which the callback returned `false`. */
    pauses: number[]
    events: string[]
  }

  /** Pauses at the second and the fourth call, by the value that the callback returns. */
  function createOnRead(received: Received, current: () => Socket, isGenerator: boolean): NetConnectOpts['onread'] {
    const buffer = new Uint8Array(16)
    let isPaused = false
    return {
      buffer: isGenerator ? () => new Uint8Array(16) : buffer,
      callback: (size, filled) => {
        expect(isPaused).toBe(false)
        expect(filled === buffer).toBe(!isGenerator)
        received.pieces.push(Buffer.from(filled.subarray(0, size)).toString())
        if (received.pieces.length !== 2 && received.pieces.length !== 4) return true
        received.pauses.push(received.pieces.length)
        isPaused = true
        setTimeout(() => {
          isPaused = false
          current().resume()
        }, 10)
        return false
      },
    }
  }

  test.each([
    ['net.connect', '/user', false],
    ['net.connect, and a function that creates buffers', '/user', true],
    ['new Socket().connect', '/user', false],
    ['net.connect, for a response from the network', '/other', false],
    ['tls.connect', '/user', false],
  ])('%s %s', async (name, path, isGenerator) => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const received: Received = { pieces: [], pauses: [], events: [] }
    let socket: Socket
    const onread = createOnRead(received, () => socket, isGenerator)
    const options = { port, host: 'localhost', ...(onread && { onread }) }
    if (name === 'tls.connect') socket = connectTls(options)
    else if (name === 'new Socket().connect') socket = new Socket({ ...(onread && { onread }) }).connect(port)
    else socket = connect(options)
    for (const event of ['data', 'end']) socket.on(event, () => received.events.push(event))
    socket.write(head(path))
    await once(socket, 'close')
    const all = received.pieces.join('')
    expect(all).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(all).toContain((path === '/user' ? 'mocked ' : 'real ').repeat(40))
    expect(received.pauses).toEqual([2, 4])
    expect(received.events).not.toContain('data')
    expect(reached).toBe(path === '/user' ? 0 : 1)
  })

  test('a buffer without space fails as in Node', async () => {
    const read = async (): Promise<unknown> => {
      const socket = connect({ port, onread: { buffer: new Uint8Array(0), callback: () => true } })
      socket.write(head('/user'))
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
      return error.code
    }
    const real = await read()
    server.listen()
    expect(await read()).toBe(real)
  })
})

describe('a client that ends its side after the request gets the response', () => {
  test.each([
    ['at once', '/user', 'mocked'],
    ['later', '/slow', 'slow'],
    ['from the network', '/other', 'real'],
  ])('%s', async (_name, path, expected) => {
    aborted = 0
    server.listen({ onUnhandledRequest: 'bypass' })
    const socket = connect({ port, host: 'localhost' })
    socket.end(head(path))
    const response = await text(socket)
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(response).toContain(expected)
    expect(aborted).toBe(0)
    expect(reached).toBe(path === '/other' ? 1 : 0)
  })

  test.each([[['/slow', '/user']], [['/user', '/other']], [['/other', '/slow', '/user']]])(
    'to %s on a connection that is kept alive',
    async (paths) => {
      server.listen({ onUnhandledRequest: 'bypass' })
      const socket = connect({ port, host: 'localhost' })
      socket.end(paths.map((path) => head(path).replace(/Connection.*\r\n/, '')).join(''))
      const response = await text(socket)
      expect(response.split('HTTP/1.1 200 OK')).toHaveLength(paths.length + 1)
    },
  )
})

describe('a client of another protocol that sends a text without a line break', () => {
  const echo = createRawServer((socket) => socket.pipe(socket))
  beforeAll(() => once(echo.listen(0), 'listening'))
  afterAll(() => {
    echo.close()
  })

  test.each(['hello', 'hello world', 'PING', 'AUTH secret', 'set a 1', '7', 'getter', 'P2'])('%s', async (sent) => {
    server.listen({ onUnhandledRequest: 'error' })
    const socket = connect((echo.address() as AddressInfo).port)
    socket.write(sent)
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    expect(bytes.toString()).toBe(sent)
    socket.destroy()
  })

  test.each(['G', 'GET', 'GET ', 'M-SE', 'PRI', 'OPTIONS'])('%s waits, because it may begin a request', (sent) => {
    expect(readFirstBytes(Buffer.from(sent))).toBe('unclear')
  })
})

test('a handler answers a client that connects to an IPv6 address with a zone', async () => {
  server.listen({ onUnhandledRequest: 'error' })
  const [message] = (await once(get({ host: 'fe80::1%eth0', path: '/user' }), 'response')) as [IncomingMessage]
  expect([message.statusCode, await text(message)]).toEqual([200, 'mocked '.repeat(40)])
})

describe('an unusual response of the real server', () => {
  const unusual = createRawServer((socket) => {
    socket.on('data', (bytes: Buffer) => {
      if (String(bytes).startsWith('GET /informed')) socket.write(information.join(''))
      const isDenied = String(bytes).startsWith('GET /denied')
      const start = isDenied ? '999 Denied\r\nX-A: b' : '200 OK\r\nTrailer: X'
      socket.end(`HTTP/1.1 ${start}\r\nContent-Length: 2\r\n\r\nno`)
    })
  })
  beforeAll(() => once(unusual.listen(0), 'listening'))
  afterAll(() => {
    unusual.close()
  })
  const information = [
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nLink: </b>; rel=preload\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nX-Name: a\r\n\r\n',
    'HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Offset: 4\r\n\r\n',
  ]
  const ask = async (path: string, informed?: unknown[]): Promise<[status: number | undefined, body: string]> => {
    const { port: unusualPort } = unusual.address() as AddressInfo
    // The server ends each connection without saying so in a header.
    const request = get(`http://localhost:${unusualPort}${path}`, { agent: false })
    request.on('information', ({ statusCode, statusMessage, rawHeaders }) =>
      informed?.push([statusCode, statusMessage, rawHeaders]),
    )
    const [message] = (await once(request, 'response')) as [IncomingMessage]
    return [message.statusCode, await text(message)]
  }

  test('a status that no Response can have reaches the client and the listeners', async () => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const heard: unknown[] = []
    server.events.on('response:bypass', async ({ response }) => {
      const copy = response.clone()
      heard.push([response.status, response.ok, await response.text(), copy.status, await copy.text()])
    })
    try {
      expect(await ask('/denied')).toEqual([999, 'no'])
      await vi.waitFor(() => expect(heard).toEqual([[999, false, 'no', 999, 'no']]))
    } finally {
      server.events.removeAllListeners()
    }
  })

  test('informational responses keep their status and headers', async () => {
    const real: unknown[] = []
    const passed: unknown[] = []
    expect(await ask('/informed', real)).toEqual([200, 'no'])
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await ask('/informed', passed)).toEqual([200, 'no'])
    expect(real).toHaveLength(information.length)
    expect(passed).toEqual(real)
  })

  test('an announced trailer without chunks is left out', async () => {
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await ask('/trailer')).toEqual([200, 'no'])
  })
})
