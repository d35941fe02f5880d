import { once } from 'node:events'
import { connect, createSecureServer, type ClientHttp2Session, type SecureClientSessionOptions } from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import tls, { type TLSSocket } from 'node:tls'

import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import got from 'got'
import { Agent, fetch as undiciFetch, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { certificate } from '../certificate.ts'

let reached = 0
const backend = createSecureServer({ ...certificate, allowHTTP1: true }, (incoming, response) => {
  reached += 1
  response.end(`real ${incoming.httpVersion}`)
})
const server = setupServer(http.all('*', () => HttpResponse.text('mocked')))
let port = 0
let origin = ''

beforeAll(async () => {
  await once(backend.listen(0), 'listening')
  port = (backend.address() as AddressInfo).port
  origin = `https://localhost:${port}`
})
afterEach(() => {
  server.close()
  vi.restoreAllMocks()
  reached = 0
})
afterAll(() => {
  backend.close()
})

const untrusting = { rejectUnauthorized: false }

async function askBy(session: ClientHttp2Session): Promise<string> {
  const failed = once(session, 'error').then(([error]) => Promise.reject(error as Error))
  const stream = session.request({ ':path': '/user' })
  stream.on('error', () => {})
  try {
    return await Promise.race([text(stream).catch(() => failed), failed])
  } finally {
    session.destroy()
  }
}

function ask(options?: SecureClientSessionOptions): Promise<string> {
  return askBy(connect(origin, { ...untrusting, ...options }))
}

function openTls(ALPNProtocols: string[] | Buffer, socket?: net.Socket): TLSSocket {
  return tls.connect({ ...(socket ? { socket } : { port, host: 'localhost' }), ...untrusting, ALPNProtocols })
}

const onlyHttp2: [name: string, ask: () => Promise<string>][] = [
  ['node:http2', () => ask()],
  ['node:http2, on a TLS socket', () => ask({ createConnection: () => openTls(['h2']) })],
  ['node:http2, with the bytes of ALPN', () => ask({ createConnection: () => openTls(Buffer.from('\x02h2')) })],
  ['node:http2, with another protocol', () => ask({ createConnection: () => openTls(['h2', 'h3']) })],
  [
    'node:http2, with TLS on a socket',
    () => ask({ createConnection: () => openTls(['h2'], net.connect(port, 'localhost')) }),
  ],
  [
    'node:http2, on a TLS socket that offers HTTP/1.1',
    () => ask({ createConnection: () => openTls(['h2', 'http/1.1']) }),
  ],
]

describe.each(onlyHttp2)('HTTP/2 with TLS by %s', (_name, send) => {
  test('fails with "error"', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.listen({ onUnhandledRequest: 'error' })
    const message =
      `Failed to open an HTTP/2 connection to ${origin}: handlers do not answer HTTP/2, and "onUnhandledRequest" is ` +
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
    expect([await send(), await send()]).toEqual(['real 2.0', 'real 2.0'])
    own.close()
    expect(warn.mock.calls).toEqual([
      [
        `[understudy] The HTTP/2 connection to ${origin} goes to the network, because handlers do not answer HTTP/2. ` +
          'Configure the client to use HTTP/1.1. (US0412)',
      ],
    ])
  })

  test('reaches the network with "bypass", silently', async () => {
    const consoles = (['warn', 'error'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}))
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await send()).toBe('real 2.0')
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
    expect(seen).toContainEqual(['PRI', `${origin}/*`])
    expect(reached).toBe(0)
  })
})

test('the client gets the certificate of the server, and refuses it if it is not trusted', async () => {
  server.listen({ onUnhandledRequest: 'bypass' })
  const error = await new Promise((resolve) => connect(origin).on('error', resolve))
  expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const session = connect(origin, untrusting)
  await once(session, 'connect')
  expect((session.socket as TLSSocket).getPeerCertificate().subject.CN).toBe('localhost')
  session.destroy()
})

test('a client that aborts while the callback decides opens no connection', async () => {
  let release = (): void => {}
  const asked = new Promise<void>((resolve) => {
    server.listen({
      onUnhandledRequest: () => {
        resolve()
        return new Promise<void>((done) => (release = done))
      },
    })
  })
  const connected = vi.fn<() => void>()
  backend.on('connection', connected)
  const socket = openTls(['h2'])
  await asked
  socket.destroy()
  release()
  await once(socket, 'close')
  // The server accepts connections in their order.
  server.close()
  const later = openTls(['http/1.1'])
  await once(later, 'secureConnect')
  expect(connected).toHaveBeenCalledTimes(1)
  later.destroy()
  backend.off('connection', connected)
})

describe('a client that offers HTTP/1.1 too is mocked:', () => {
  const agent = new Agent({ allowH2: true, connect: untrusting })
  afterAll(() => agent.destroy())

  test.each<[name: string, ask: () => Promise<string>]>([
    ['request() of undici with allowH2', async () => (await request(origin, { dispatcher: agent })).body.text()],
    ['fetch() of undici with allowH2', async () => (await undiciFetch(origin, { dispatcher: agent })).text()],
    ['got with http2', () => got(origin, { http2: true, https: untrusting }).text()],
  ])('%s', async (_name, send) => {
    server.listen({ onUnhandledRequest: 'error' })
    expect(await send()).toBe('mocked')
    expect(reached).toBe(0)
  })
})
