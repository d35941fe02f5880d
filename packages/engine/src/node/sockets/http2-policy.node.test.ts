import { once } from 'node:events'
import { connect as connectHttp2, createSecureServer, createServer, type SecureClientSessionOptions } from 'node:http2'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls, type TLSSocket } from 'node:tls'

import { Agent, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { certificate } from '../../../../../test/certificate.ts'
import { http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

let reached = 0
const backend = createServer((_request, response) => {
  reached += 1
  response.end('real')
})
const secureBackend = createSecureServer(certificate, (_request, response) => {
  reached += 1
  response.end('real')
})
const server = setupServer(http.all('*', () => HttpResponse.text('mocked')))
let port = 0
let securePort = 0

const portOf = (listening: typeof backend | typeof secureBackend): number => (listening.address() as AddressInfo).port

beforeAll(async () => {
  await Promise.all([once(backend.listen(0), 'listening'), once(secureBackend.listen(0), 'listening')])
  port = portOf(backend)
  securePort = portOf(secureBackend)
})
afterEach(() => {
  server.close()
  vi.restoreAllMocks()
  reached = 0
})
afterAll(() => {
  backend.close()
  secureBackend.close()
})

const untrusting = { rejectUnauthorized: false }
const plainOrigin = (): string => `http://localhost:${port}`
const secureOrigin = (): string => `https://localhost:${securePort}`

async function ask(origin: string, options: SecureClientSessionOptions = {}): Promise<string> {
  const session = connectHttp2(origin, options)
  const failed = once(session, 'error').then(([error]) => Promise.reject(error as Error))
  const stream = session.request({ ':path': '/user' })
  stream.on('error', () => {})
  try {
    // A stream that fails says less than its session.
    return await Promise.race([text(stream).catch(() => failed), failed])
  } finally {
    session.destroy()
  }
}

/** Uses a socket to which an HTTP/2 server has already sent its settings. */
async function askLate(): Promise<string> {
  const socket = connect(port, 'localhost')
  await once(socket, 'readable')
  return ask(plainOrigin(), { createConnection: () => socket })
}

async function askByUndici(): Promise<string> {
  const dispatcher = new Agent({ allowH2: true, useH2c: true } as Agent.Options)
  try {
    const { body } = await request(`${plainOrigin()}/user`, { dispatcher })
    return await body.text()
  } finally {
    await dispatcher.destroy()
  }
}

function openTls(ALPNProtocols: string[] | Buffer, socket?: Socket): TLSSocket {
  return connectTls({
    ...(socket ? { socket } : { port: securePort, host: 'localhost' }),
    ...untrusting,
    ALPNProtocols,
  })
}

const askByTls = (socket?: () => Socket): Promise<string> =>
  ask(secureOrigin(), { ...untrusting, ...(socket && { createConnection: socket }) })

const clients: [name: string, getOrigin: () => string, ask: () => Promise<string>][] = [
  ['without encryption by node:http2', plainOrigin, () => ask(plainOrigin())],
  ['without encryption by node:http2, on a socket to which the server sent bytes', plainOrigin, askLate],
  ["without encryption by undici's useH2c", plainOrigin, askByUndici],
  ['with TLS by node:http2', secureOrigin, () => askByTls()],
  ['with TLS by node:http2, on a TLS socket', secureOrigin, () => askByTls(() => openTls(['h2']))],
  [
    'with TLS by node:http2, with the bytes of ALPN',
    secureOrigin,
    () => askByTls(() => openTls(Buffer.from('\x02h2'))),
  ],
  ['with TLS by node:http2, with another protocol', secureOrigin, () => askByTls(() => openTls(['h2', 'h3']))],
  [
    'with TLS by node:http2, with TLS on a socket',
    secureOrigin,
    () => askByTls(() => openTls(['h2'], connect(securePort, 'localhost'))),
  ],
  [
    'with TLS by node:http2, on a TLS socket that offers HTTP/1.1',
    secureOrigin,
    () => askByTls(() => openTls(['h2', 'http/1.1'])),
  ],
]

describe.each(clients)('HTTP/2 %s', (_name, getOrigin, send) => {
  test('fails with "error"', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.listen({ onUnhandledRequest: 'error' })
    const message =
      `Failed to open an HTTP/2 connection to ${getOrigin()}: handlers do not answer HTTP/2, and "onUnhandledRequest" is ` +
      '"error". Configure the client to use HTTP/1.1. (US0411)'
    await expect(send()).rejects.toMatchObject({ message })
    expect(error.mock.calls).toContainEqual([`[understudy] ${message}`])
    expect(reached).toBe(0)
  })

  test('reaches the network with "warn", and prints one warning for an origin', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    // Each server warns once.
    const own = setupServer()
    own.listen({ onUnhandledRequest: 'warn' })
    expect([await send(), await send()]).toEqual(['real', 'real'])
    own.close()
    expect(warn.mock.calls).toEqual([
      [
        `[understudy] The HTTP/2 connection to ${getOrigin()} goes to the network, because handlers do not answer HTTP/2. ` +
          'Configure the client to use HTTP/1.1. (US0412)',
      ],
    ])
  })

  test('reaches the network with "bypass", silently', async () => {
    const consoles = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}))
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await send()).toBe('real')
    for (const { mock } of consoles) expect(mock.calls).toEqual([])
  })

  test('calls a callback, which may wait before it throws', async () => {
    const seen: unknown[] = []
    server.listen({
      async onUnhandledRequest({ method, url }) {
        seen.push([method, url])
        await new Promise((resolve) => setTimeout(resolve, 20))
        throw new Error('refused')
      },
    })
    await expect(send()).rejects.toThrow('refused')
    expect(seen).toContainEqual(['PRI', `${getOrigin()}/*`])
    expect(reached).toBe(0)
  })
})

test.each([
  ['in pieces', ['P', 'RI * HT', 'TP/2.0\r\n\r\n', 'SM\r\n\r\n'], ''],
  ['of a request of HTTP/1.1', ['PRI /user HTTP/1.1\r\nHost: x\r\n\r\n'], 'HTTP/1.1 400 Bad Request'],
  ['after a NUL', ['\0GET /user HTTP/1.1\r\nHost: x\r\n\r\n'], 'HTTP/1.1 400 Bad Request'],
  ['after a byte order mark', ['\ufeffGET /user HTTP/1.1\r\nHost: x\r\n\r\n'], 'HTTP/1.1 400 Bad Request'],
])('a first line %s does not reach the network', async (_name, pieces, status) => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  server.listen({ onUnhandledRequest: 'error' })
  const socket = connect(port, 'localhost')
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  for (const piece of pieces) socket.write(piece)
  await new Promise((resolve) => socket.on('close', resolve))
  expect(received.split('\r\n')[0]).toBe(status)
  expect(error).toHaveBeenCalled()
})
