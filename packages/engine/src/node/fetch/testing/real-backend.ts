import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { afterAll, afterEach, beforeAll } from 'vitest'

import { http, HttpResponse } from '../../../index.ts'
import { setupServer } from '../../setup-server.ts'

/** The real server of the current test. */
export interface RealBackend {
  origin: string
  /** The requests that reached the real server. */
  reached: string[]
  crossOrigin: string
}

export const real = { origin: '', reached: [], crossOrigin: '' } as RealBackend

export interface Reply {
  status?: number
  headers?: [name: string, value: string][]
  body?: string | Uint8Array<ArrayBuffer>
}

/** The responses by path, of a real server and of handlers. */
const replies: Record<string, Reply> = {
  '/json': { headers: [['content-type', 'application/json']], body: '{"id":1}' },
  '/missing': { status: 404, headers: [['x-reason', 'gone']], body: 'not here' },
  '/no-content': { status: 204 },
  '/not-modified': { status: 304, headers: [['etag', '"1"']] },
  '/cookies': {
    headers: [
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2; HttpOnly'],
    ],
    body: 'x',
  },
  '/gzip': { headers: [['content-encoding', 'gzip']], body: bytes(gzipSync('hello '.repeat(10_000))) },
  '/deflate': { headers: [['content-encoding', 'deflate']], body: bytes(deflateSync('hello')) },
  '/br': { headers: [['content-encoding', 'br']], body: bytes(brotliCompressSync('hello '.repeat(10_000))) },
  '/both': { headers: [['content-encoding', 'gzip, br']], body: bytes(brotliCompressSync(gzipSync('hello'))) },
  '/unknown-coding': { headers: [['content-encoding', 'pack']], body: 'hello' },
  '/to-echo-301': { status: 301, headers: [['location', '/echo']] },
  '/to-echo-302': { status: 302, headers: [['location', '/echo']], body: 'moved' },
  '/to-echo-303': { status: 303, headers: [['location', '/echo']] },
  '/to-echo-307': { status: 307, headers: [['location', 'echo?again=1']] },
  '/to-echo-308': { status: 308, headers: [['location', '/echo#there']] },
  '/twice': { status: 302, headers: [['location', '/to-echo-302']] },
  '/nowhere': { status: 302, body: 'no location' },
  '/to-ftp': { status: 302, headers: [['location', 'ftp://example.com/']] },
  '/to-broken': { status: 302, headers: [['location', 'http://[']] },
  '/loop': { status: 302, headers: [['location', '/loop']] },
}

function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}

function echo(method: string, headers: Headers, body: string): string {
  const [type, authorization, other] = ['content-type', 'authorization', 'x-other'].map((name) => headers.get(name))
  return JSON.stringify({ method, type: type?.replace(/boundary=.*/, ''), authorization, other, body })
}

export const backend = createServer((incoming, outgoing) => void answer(incoming, outgoing))

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  real.reached.push(`${incoming.method} ${incoming.url}`)
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(incoming.url ?? '', real.origin)
  if (pathname === '/echo') {
    outgoing.setHeader('content-type', 'application/json')
    const headers = new Headers(incoming.headers as Record<string, string>)
    outgoing.end(echo(incoming.method ?? '', headers, Buffer.concat(chunks).toString()))
  } else if (pathname === '/to') {
    outgoing.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
  } else {
    const { status = 200, headers = [], body } = replies[pathname] ?? { status: 500 }
    for (const [name, value] of headers) outgoing.appendHeader(name, value)
    outgoing.writeHead(status).end(body)
  }
}

export const mocks = [
  ...Object.entries(replies).map(([path, { status = 200, headers = [], body = null }]) =>
    http.all(`*${path}`, () => new HttpResponse(body === null ? null : bytes(Buffer.from(body)), { status, headers })),
  ),
  http.all('*/echo', async ({ request }) =>
    HttpResponse.text(echo(request.method, request.headers, await request.text()), {
      headers: { 'content-type': 'application/json' },
    }),
  ),
  http.all('*/to', ({ url }) => HttpResponse.redirect(url.searchParams.get('url') ?? '')),
]

export const server = setupServer()

beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, resolve))
  const { port } = backend.address() as AddressInfo
  real.origin = `http://localhost:${port}`
  real.crossOrigin = `http://127.0.0.1:${port}`
})

afterEach(() => {
  server.close()
  server.resetHandlers()
  real.reached = []
})

afterAll(() => backend.close())

/** All properties of a response that a caller of `fetch` can read. */
export async function read(response: Response): Promise<object> {
  const { status, statusText, ok, type, redirected, url, bodyUsed } = response
  const copy = response.clone()
  const names = ['content-type', 'content-encoding', 'location', 'etag', 'x-reason']
  return {
    status,
    statusText,
    ok,
    type,
    redirected,
    url,
    bodyUsed,
    headers: names.map((name) => response.headers.get(name)),
    cookies: response.headers.getSetCookie(),
    text: await outcome(response.text()),
    copy: [copy.url, copy.type, copy.redirected, copy.status, await outcome(copy.text())],
    isResponse: response instanceof Response && response.constructor.name,
    tag: Object.prototype.toString.call(response),
  }
}

/** Returns the result of a promise, or the properties of its error. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    const { name, message, cause } = error as Error
    return { name, message, hasCause: cause !== undefined, isTypeError: error instanceof TypeError }
  }
}

export const post = { method: 'POST', body: 'text', headers: { authorization: 'secret', 'x-other': 'kept' } }

export function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(chunk))
    },
  })
}

export function streamed(...chunks: string[]): RequestInit {
  return { method: 'POST', body: streamOf(...chunks), duplex: 'half' } as RequestInit
}
