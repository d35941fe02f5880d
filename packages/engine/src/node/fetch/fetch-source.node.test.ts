import { createHash } from 'node:crypto'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { bypass, http, HttpResponse } from '../../index.ts'
import { setupServer } from '../setup-server.ts'

interface Reply {
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

const backend = createServer((incoming, outgoing) => void answer(incoming, outgoing))
let origin = ''
let crossOrigin = ''
/** The requests that reached the real server. */
let reached: string[] = []

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  reached.push(`${incoming.method} ${incoming.url}`)
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(incoming.url ?? '', origin)
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

const mocks = [
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
const server = setupServer()

beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, resolve))
  const { port } = backend.address() as AddressInfo
  origin = `http://localhost:${port}`
  crossOrigin = `http://127.0.0.1:${port}`
})
afterEach(() => {
  server.close()
  server.resetHandlers()
  reached = []
})
afterAll(() => backend.close())

/** All properties of a response that a caller of `fetch` can read. */
async function read(response: Response): Promise<object> {
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
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    const { name, message, cause } = error as Error
    return { name, message, hasCause: cause !== undefined, isTypeError: error instanceof TypeError }
  }
}

const post = { method: 'POST', body: 'text', headers: { authorization: 'secret', 'x-other': 'kept' } }

describe('a mocked response equals the platform’s response to the same bytes of a server', () => {
  test.each<[name: string, run: () => Promise<Response>]>([
    ['JSON', () => fetch(`${origin}/json`)],
    ['a URL object, with query and fragment', () => fetch(new URL(`${origin}/json?a=1#part`))],
    ['an error status', () => fetch(`${origin}/missing`)],
    ['204', () => fetch(`${origin}/no-content`)],
    ['304', () => fetch(`${origin}/not-modified`)],
    ['HEAD', () => fetch(`${origin}/missing`, { method: 'HEAD' })],
    ['HEAD of a compressed body', () => fetch(`${origin}/gzip`, { method: 'HEAD' })],
    ['several Set-Cookie', () => fetch(`${origin}/cookies`)],
    ['gzip', () => fetch(`${origin}/gzip`)],
    ['deflate', () => fetch(`${origin}/deflate`)],
    ['br', () => fetch(`${origin}/br`)],
    ['two codings', () => fetch(`${origin}/both`)],
    ['an unknown coding', () => fetch(`${origin}/unknown-coding`)],
    ['a string body', () => fetch(`${origin}/echo`, post)],
    ['URLSearchParams', () => fetch(`${origin}/echo`, { method: 'POST', body: new URLSearchParams({ a: 'ä' }) })],
    ['bytes', () => fetch(`${origin}/echo`, { method: 'PUT', body: new Uint8Array([104, 105]) })],
    ['a Blob', () => fetch(`${origin}/echo`, { method: 'PUT', body: new Blob(['hi'], { type: 'text/x' }) })],
    ['a Request', () => fetch(new Request(`${origin}/echo`, post))],
    ['a Request with changes', () => fetch(new Request(`${origin}/echo`, post), { method: 'PUT', body: 'other' })],
    ['a Request as options', () => fetch(`${origin}/echo`, new Request('http://other.test/', post))],
    ['a subclass of Request', () => fetch(new (class extends Request {})(`${origin}/echo`, post))],
    ['a streamed body', () => fetch(`${origin}/echo`, streamed('a', 'b'))],
    ['an unknown method', () => fetch(`${origin}/echo`, { method: 'PROPFIND' })],
    ['a lower-case method', () => fetch(`${origin}/echo`, { method: 'delete' })],
    ['no-cors', () => fetch(`${origin}/json`, { mode: 'no-cors' })],
    ['same-origin, redirected', () => fetch(`${origin}/to-echo-302`, { mode: 'same-origin' })],
    ['keepalive', () => fetch(`${origin}/json`, { keepalive: true, cache: 'no-store', referrer: origin })],
    ...['301', '302', '303', '307', '308'].flatMap((status): [string, () => Promise<Response>][] => [
      [`${status} of GET`, () => fetch(`${origin}/to-echo-${status}`, { headers: post.headers })],
      [`${status} of POST`, () => fetch(`${origin}/to-echo-${status}`, post)],
      [`${status} of PUT`, () => fetch(`${origin}/to-echo-${status}`, { ...post, method: 'PUT' })],
      [`${status} of HEAD`, () => fetch(`${origin}/to-echo-${status}`, { method: 'HEAD' })],
      [`${status} of a Request`, () => fetch(new Request(`${origin}/to-echo-${status}`, post))],
      [`${status}, manual`, () => fetch(`${origin}/to-echo-${status}`, { redirect: 'manual' })],
    ]),
    ['a redirect to a redirect', () => fetch(`${origin}/twice#part`)],
    ['a redirect to another origin', () => fetch(`${origin}/to?url=${crossOrigin}/echo`, { headers: post.headers })],
    ['a redirect without a location', () => fetch(`${origin}/nowhere`)],
    ['a body with its integrity', () => fetch(`${origin}/br`, { integrity: integrityOf('hello '.repeat(10_000)) })],
    ['an integrity that says nothing', () => fetch(`${origin}/json`, { integrity: 'nonsense' })],
    ['a redirect with the integrity of its end', () => fetch(redirectedWithIntegrity())],
  ])('%s', async (_, run) => {
    const native = await read(await run())
    const arrived = reached.length
    server.use(...mocks)
    server.listen({ onUnhandledRequest: 'error' })
    expect(await read(await run())).toEqual(native)
    expect(reached).toHaveLength(arrived)
  })

  test.each<[name: string, run: () => Promise<Response>]>([
    ['a redirect, not wanted', () => fetch(`${origin}/to-echo-302`, { redirect: 'error' })],
    ['a redirect without a location, not wanted', () => fetch(`${origin}/nowhere`, { redirect: 'error' })],
    ['a redirect to another scheme', () => fetch(`${origin}/to-ftp`)],
    ['a redirect to no URL', () => fetch(`${origin}/to-broken`)],
    ['a redirect to a URL with a password', () => fetch(`${origin}/to?url=http://a:b@localhost/echo`)],
    [
      'same-origin, redirected to another',
      () => fetch(`${origin}/to?url=${crossOrigin}/json`, { mode: 'same-origin' }),
    ],
    ['endless redirects', () => fetch(`${origin}/loop`)],
    ['a redirect of a streamed body', () => fetch(`${origin}/to-echo-307`, streamed('a'))],
    ['an aborted signal', () => fetch(`${origin}/json`, { signal: AbortSignal.abort() })],
    [
      'an aborted signal with a reason',
      () => fetch(`${origin}/json`, { signal: AbortSignal.abort(new RangeError('r')) }),
    ],
    ['no URL', () => fetch('/json')],
    ['a broken URL', () => fetch('http://[')],
    ['a URL with a password', () => fetch('http://a:b@localhost/')],
    ['a forbidden method', () => fetch(`${origin}/json`, { method: 'TRACE' })],
    ['GET with a body', () => fetch(`${origin}/json`, { ...post, method: 'GET' })],
    ['a stream without duplex', () => fetch(`${origin}/echo`, { method: 'POST', body: streamOf('a') })],
    ['a used Request', () => fetch(used(new Request(`${origin}/echo`, post)))],
    ['an unknown scheme', () => fetch('nothing:here')],
    ['an integrity that is wrong', () => fetch(`${origin}/json`, { integrity: 'sha256-AAAA' })],
    ['an integrity that is wrong after a redirect', () => fetch(`${origin}/to-echo-302`, { integrity: 'sha256-AAAA' })],
  ])('the error of %s', async (_, run) => {
    const native = await outcome(run())
    expect(native).toHaveProperty('name')
    server.use(...mocks)
    server.listen({ onUnhandledRequest: 'error' })
    expect(await outcome(run())).toEqual(native)
  })
})

function integrityOf(text: string): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`
}

function redirectedWithIntegrity(): Request {
  return new Request(`${origin}/to?url=${origin}/json`, { integrity: integrityOf('{"id":1}') })
}

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(chunk))
    },
  })
}

function streamed(...chunks: string[]): RequestInit {
  return { method: 'POST', body: streamOf(...chunks), duplex: 'half' } as RequestInit
}

function used(request: Request): Request {
  void request.text()
  return request
}

describe('a request that no handler answers', () => {
  const seen: string[] = []
  const unseen = http.all('*/echo', ({ request }) => {
    seen.push(request.method)
  })

  test.each<[name: string, run: () => Promise<Response>]>([
    ['GET', () => fetch(`${origin}/echo?a=1`)],
    ['POST', () => fetch(`${origin}/echo`, post)],
    ['a Request with a body', () => fetch(new Request(`${origin}/echo`, post))],
    ['a streamed body', () => fetch(`${origin}/echo`, streamed('a', 'b'))],
    ['a redirected Request with a body', () => fetch(new Request(`${origin}/to-echo-307`, post))],
    ['a redirected POST', () => fetch(`${origin}/to-echo-307`, post)],
    ['a redirect to another origin', () => fetch(`${origin}/to?url=${crossOrigin}/echo`, post)],
    ['a compressed body', () => fetch(`${origin}/br`)],
    ['a redirect that is left alone', () => fetch(`${origin}/twice`, { redirect: 'manual' })],
  ])('%s: is sent as without mocking', async (_, run) => {
    const native = await read(await run())
    server.use(
      unseen,
      http.all('*/*', () => {}),
    )
    server.listen()
    expect(await read(await run())).toEqual(native)
  })

  test('reaches the handlers once, and the network once', async () => {
    seen.length = 0
    server.use(unseen)
    server.listen()
    await fetch(`${origin}/echo`, post)
    expect(seen).toEqual(['POST'])
    expect(reached).toEqual(['POST /echo'])
  })

  test('keeps a body that a handler has read', async () => {
    server.use(http.post('*/echo', async ({ request }) => void (await request.text())))
    server.listen()
    for (const run of [
      () => fetch(`${origin}/echo`, post),
      () => fetch(new Request(`${origin}/echo`, post)),
      () => fetch(`${origin}/echo`, streamed('te', 'xt')),
    ]) {
      expect(await (await run()).json()).toMatchObject({ body: 'text' })
    }
  })

  test('is sent without the mark of bypass()', async () => {
    const accepts: (string | undefined)[] = []
    const listener = (request: IncomingMessage): number => accepts.push(request.headers.accept)
    backend.on('request', listener)
    server.use(http.all('*', () => HttpResponse.error()))
    server.listen()
    const response = await fetch(bypass(`${origin}/echo`, post))
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'text', authorization: 'secret' })
    await fetch(bypass(`${origin}/json`, { headers: { accept: 'text/x' } }))
    backend.off('request', listener)
    expect(accepts).toEqual(['*/*', 'text/x'])
  })

  test('calls listeners with its response, and leaves the response unread', async () => {
    const told: string[] = []
    const listener = async ({ response, request }: { response: Response; request: Request }): Promise<void> => {
      told.push(`${request.method} ${await response.text()}`)
    }
    server.events.on('response:bypass', listener)
    server.listen({ onUnhandledRequest: 'bypass' })
    const response = await fetch(`${origin}/json`)
    expect(await response.text()).toBe('{"id":1}')
    await expect.poll(() => told).toEqual(['GET {"id":1}'])
    server.events.removeAllListeners()
  })

  test('listeners can read the request’s body, even after it was sent', async () => {
    const told: string[] = []
    server.events.on('response:bypass', async ({ request }) => void told.push(await request.text()))
    server.events.on('response:bypass', async ({ request }) => void told.push(await request.text()))
    server.listen({ onUnhandledRequest: 'bypass' })
    await fetch(new Request(`${origin}/echo`, post))
    await fetch(`${origin}/echo`, streamed('te', 'xt'))
    await expect.poll(() => told).toEqual(['text', 'text', 'text', 'text'])
    server.events.removeAllListeners()
  })

  test('fails like on the platform', async () => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const closed = createServer().listen(0)
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const error = await fetch(`http://localhost:${port}/`).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    expect(error).toBeInstanceOf(TypeError)
  })

  test('uses the caller’s dispatcher, which a mocked request does not need', async () => {
    server.use(http.get('*/json', () => HttpResponse.json('mocked')))
    server.listen({ onUnhandledRequest: 'bypass' })
    const dispatched: string[] = []
    const agent = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) as {
      dispatch(options: { path: string }, handler: object): boolean
    }
    const dispatcher = {
      dispatch(options: { path: string }, handler: object) {
        dispatched.push(options.path)
        return agent.dispatch(options, handler)
      },
    }
    const init = { dispatcher } as RequestInit
    expect(await (await fetch(`${origin}/json`, init)).json()).toBe('mocked')
    expect(await (await fetch(`${origin}/missing`, init)).text()).toBe('not here')
    expect(dispatched).toEqual(['/missing'])
    expect(reached).toEqual(['GET /missing'])
  })

  test('does not reuse a connection from before listen(), because its requests would bypass the mocks', async () => {
    await (await fetch(`${origin}/json`)).text()
    server.use(http.get('*/json', () => HttpResponse.json('mocked')))
    server.listen({ onUnhandledRequest: 'bypass' })
    const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
    const response = await fetch(`${origin}/json`, { dispatcher } as RequestInit)
    expect(await response.json()).toBe('mocked')
  })

  test('is aborted by its signal', async () => {
    server.listen({ onUnhandledRequest: 'bypass' })
    const controller = new AbortController()
    const response = await fetch(`${origin}/gzip`, { signal: controller.signal })
    controller.abort()
    await expect(response.text()).rejects.toHaveProperty('name', 'AbortError')
  })
})

describe('redirects between mocks and the network', () => {
  test('a mock may redirect to the network', async () => {
    server.use(http.post('*/here', () => new HttpResponse(null, { status: 307, headers: { Location: '/echo' } })))
    server.listen()
    const response = await fetch(`${origin}/here`, post)
    expect(response).toMatchObject({ url: `${origin}/echo`, redirected: true, type: 'basic', status: 200 })
    expect(response.clone()).toMatchObject({ url: `${origin}/echo`, redirected: true })
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'text', authorization: 'secret' })
  })

  test('the network may redirect to a mock', async () => {
    server.use(http.get('*/echo', () => HttpResponse.text('mocked')))
    server.listen({ onUnhandledRequest: 'bypass' })
    const response = await fetch(`${origin}/twice`)
    expect(response).toMatchObject({ url: `${origin}/echo`, redirected: true })
    expect(await response.text()).toBe('mocked')
    expect(reached).toEqual(['GET /twice', 'GET /to-echo-302'])
  })

  test('finalizers of the abandoned response run', async () => {
    const finished: string[] = []
    server.use(
      http.get('*/here', ({ finalize }) => {
        finalize(() => finished.push('here'))
        return new HttpResponse('moved', { status: 302, headers: { Location: '/there' } })
      }),
      http.get('*/there', () => HttpResponse.text('there')),
    )
    server.listen()
    expect(await (await fetch(`${origin}/here`)).text()).toBe('there')
    expect(finished).toEqual(['here'])
  })
})

describe('abort', () => {
  test('while a handler resolves: the caller gets the reason, the handler its signal and its end', async () => {
    const controller = new AbortController()
    const happened: string[] = []
    server.use(
      http.get('*/slow', ({ request, finalize }) => {
        request.signal.addEventListener('abort', () => happened.push('signal'))
        finalize(() => happened.push('finalized'))
        queueMicrotask(() => controller.abort(new RangeError('enough')))
        return new Promise<Response>(() => {})
      }),
    )
    server.listen()
    await expect(fetch(`${origin}/slow`, { signal: controller.signal })).rejects.toThrow(new RangeError('enough'))
    expect(happened.sort()).toEqual(['finalized', 'signal'])
  })

  test('immediately after the call: no handler and no listener gets the request', async () => {
    const asked: string[] = []
    server.use(http.get('*/slow', ({ request }) => void asked.push(request.url)))
    server.events.once('request:start', ({ request }) => asked.push(request.url))
    server.listen()
    const controller = new AbortController()
    const response = fetch(`${origin}/slow`, { signal: controller.signal })
    controller.abort()
    await expect(response).rejects.toHaveProperty('name', 'AbortError')
    expect(asked).toEqual([])
    server.events.removeAllListeners()
  })

  test.each([
    ['in the options', (url: string, signal: AbortSignal) => fetch(url, { signal })],
    ['in a Request', (url: string, signal: AbortSignal) => fetch(new Request(url, { signal }))],
  ])('while the body is read, by a signal %s: the reader gets the reason, the stream is cancelled', async (_, run) => {
    const cancelled: unknown[] = []
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
      cancel: (reason) => void cancelled.push(reason),
    })
    server.use(http.get('*/stream', () => new HttpResponse(stream)))
    server.listen()
    const controller = new AbortController()
    const response = await run(`${origin}/stream`, controller.signal)
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first')
    controller.abort(new RangeError('enough'))
    await expect(reader?.read()).rejects.toThrow(new RangeError('enough'))
    await expect.poll(() => cancelled).toEqual([new RangeError('enough')])
  })
})

describe('responses of handlers', () => {
  test('a network error fails like on the platform, and names the handler', async () => {
    server.use(http.get('*/x', () => HttpResponse.error()))
    server.listen()
    const error = await fetch(`${origin}/x`).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ message: 'fetch failed', cause: { name: 'UnderstudyError' } })
    expect((error as Error).cause).toHaveProperty('message', expect.stringContaining('GET */x'))
  })

  test('an unhandled request with the policy "error" fails in the same way', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    server.listen({ onUnhandledRequest: 'error' })
    await expect(fetch(`${origin}/x`)).rejects.toMatchObject({ message: 'fetch failed', cause: expect.any(Error) })
    expect(print).toHaveBeenCalledOnce()
    print.mockRestore()
    expect(reached).toEqual([])
  })

  test('a stream arrives chunk by chunk', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    server.use(http.get('*/stream', () => new HttpResponse(readable as BodyInit)))
    server.listen()
    const writer = writable.getWriter()
    const reader = (await fetch(`${origin}/stream`)).body?.getReader()
    for (const text of ['one', 'two']) {
      void writer.write(new TextEncoder().encode(text))
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(text)
    }
    void writer.close()
    expect((await reader?.read())?.done).toBe(true)
  })

  test('a stream that fails is an error for its reader', async () => {
    const stream = new ReadableStream({ pull: (controller) => controller.error(new RangeError('broken')) })
    server.use(http.get('*/stream', () => new HttpResponse(stream)))
    server.listen()
    const response = await fetch(`${origin}/stream`)
    await expect(response.text()).rejects.toThrow('broken')
  })

  test('a response that is returned several times answers each request', async () => {
    const shared = new HttpResponse(null, { status: 201 })
    server.use(http.get('*/shared/:id', () => shared))
    server.listen()
    const [one, two] = [await fetch(`${origin}/shared/1`), await fetch(`${origin}/shared/2`)]
    expect([one.url, two.url]).toEqual([`${origin}/shared/1`, `${origin}/shared/2`])
  })

  test("a response of the platform's class works like an HttpResponse", async () => {
    server.use(http.get('*/plain', () => Response.json({ id: 1 }, { status: 202, headers: { 'x-a': '1' } })))
    server.listen()
    const response = await fetch(`${origin}/plain`)
    expect(response).toMatchObject({ status: 202, url: `${origin}/plain`, type: 'basic' })
    expect([response.headers.get('x-a'), await response.json()]).toEqual(['1', { id: 1 }])
  })

  test.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNREFUSED', 'ENOTFOUND', 'EPIPE', 'UND_ERR_SOCKET'])(
    'a network error has the code %s, for fetch and node:http',
    async (code) => {
      server.use(
        http.get('*/broken', () => (code === 'ECONNRESET' ? HttpResponse.error() : HttpResponse.error({ code }))),
      )
      server.listen()
      await expect(fetch(`${origin}/broken`)).rejects.toMatchObject({ message: 'fetch failed', cause: { code } })
      const ofHttp = new Promise((_resolve, reject) => get(`${origin}/broken`, { agent: false }).on('error', reject))
      await expect(ofHttp).rejects.toMatchObject({ code })
    },
  )

  test('a network error refuses an invalid code', () => {
    for (const code of ['', 5, null]) {
      expect(() => HttpResponse.error({ code: code as never })).toThrow('Failed to create a network error: its code is')
    }
  })

  test('a response arrives in the same turn of the event loop as its request, as with MSW', async () => {
    server.use(
      http.get('*/early', () => HttpResponse.json({ id: 1 })),
      http.post('*/early', async ({ request }) => HttpResponse.json((await request.json()) as object)),
    )
    server.listen()
    // Pending work of other tests belongs to the previous turn.
    await new Promise((resolve) => setImmediate(resolve))
    const turns: string[] = []
    setImmediate(() => turns.push('next'))
    for (let asked = 0; asked < 5; asked += 1) {
      await (await fetch(`${origin}/early`)).json()
      await (await fetch(new Request(`${origin}/early`, { method: 'POST', body: '{}' }))).json()
    }
    expect(turns).toEqual([])
  })

  test('a response needs no timer, and no setImmediate of a test library', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })
    server.use(http.get('*/early', () => HttpResponse.json({ id: 1 })))
    server.listen()
    for (let asked = 0; asked < 600; asked += 1) await (await fetch(`${origin}/early`)).json()
    vi.useRealTimers()
    expect(await (await fetch(`${origin}/early`)).json()).toEqual({ id: 1 })
  })

  test('timers run between consecutive requests', async () => {
    let isReady = false
    server.use(http.get('*/poll', () => HttpResponse.json({ isReady })))
    server.listen()
    setTimeout(() => (isReady = true), 1)
    let polled
    do polled = await (await fetch(`${origin}/poll`)).json()
    while (!polled.isReady)
    expect(polled).toEqual({ isReady: true })
  })
})

describe('globalThis.fetch', () => {
  const native = globalThis.fetch
  const json = http.get('*/json', () => HttpResponse.json('mocked'))

  test('is the platform’s again after close()', () => {
    server.listen()
    expect(globalThis.fetch).not.toBe(native)
    expect([globalThis.fetch.name, globalThis.fetch.length]).toEqual([native.name, native.length])
    server.close()
    expect(globalThis.fetch).toBe(native)
  })

  test('that was stored while a server listens works after close()', async () => {
    server.use(json)
    server.listen()
    const taken = globalThis.fetch
    server.close()
    expect(await (await taken(`${origin}/json`)).json()).toEqual({ id: 1 })
  })

  test('that was stubbed while a server listens stays stubbed', () => {
    server.listen()
    const stub = vi.fn<typeof fetch>()
    vi.stubGlobal('fetch', stub)
    server.close()
    expect(globalThis.fetch).toBe(stub)
    vi.unstubAllGlobals()
    globalThis.fetch = native
  })

  test('that was stubbed before listen() gets unhandled requests with their original arguments', async () => {
    const stub = vi.fn<typeof fetch>(async () => new Response('stub'))
    vi.stubGlobal('fetch', stub)
    server.use(json)
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${origin}/json`)).json()).toBe('mocked')
    expect(stub).not.toHaveBeenCalled()
    expect(await (await fetch(`${origin}/missing`, { method: 'DELETE' })).text()).toBe('stub')
    expect(stub).toHaveBeenCalledExactlyOnceWith(`${origin}/missing`, expect.objectContaining({ method: 'DELETE' }))
    server.close()
    expect(globalThis.fetch).toBe(stub)
    vi.unstubAllGlobals()
  })

  test('in a wrapper decides once, and also about other requests of the wrapper', async () => {
    const asked: string[] = []
    server.use(http.get('*', ({ request }) => void asked.push(new URL(request.url).pathname)))
    server.listen({ onUnhandledRequest: 'bypass' })
    const inner = globalThis.fetch
    vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
      await (await inner(`${origin}/json`)).text()
      return inner(...args)
    })
    const other = setupServer(json)
    other.listen({ onUnhandledRequest: 'bypass' })
    for (let round = 0; round < 3; round += 1) {
      expect(await (await fetch(`${origin}/missing`)).text()).toBe('not here')
    }
    expect(asked).toEqual(['/missing', '/missing', '/missing'])
    expect(reached).toEqual(['GET /missing', 'GET /missing', 'GET /missing'])
    other.close()
    vi.unstubAllGlobals()
    server.close()
    expect(globalThis.fetch).toBe(native)
  })

  test('that a test library restored after close() is the native one again when a server listens', async () => {
    const asked: string[] = []
    server.use(http.get('*', ({ request }) => void asked.push(request.url)))
    server.listen({ onUnhandledRequest: 'bypass' })
    vi.stubGlobal('fetch', vi.fn<typeof fetch>())
    server.close()
    vi.unstubAllGlobals()
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${origin}/missing`)).text()).toBe('not here')
    expect(asked).toEqual([`${origin}/missing`])
    server.close()
    expect(globalThis.fetch).toBe(native)
  })

  test('two servers listen at once, the later one first', async () => {
    const other = setupServer(
      http.get('*/json', () => HttpResponse.json('other')),
      json,
    )
    server.use(http.get('*/x', () => HttpResponse.json('first')))
    server.listen({ onUnhandledRequest: 'bypass' })
    other.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${origin}/json`)).json()).toBe('other')
    expect(await (await fetch(`${origin}/x`)).json()).toBe('first')
    expect(await (await fetch(`${origin}/missing`)).text()).toBe('not here')
    server.close()
    expect(await (await fetch(`${origin}/json`)).json()).toBe('other')
    other.close()
    expect(await (await fetch(`${origin}/json`)).json()).toEqual({ id: 1 })
    expect(reached).toEqual(['GET /missing', 'GET /json'])
    expect(globalThis.fetch).toBe(native)
  })

  test('accepts a URL relative to the page, if there is one', async () => {
    vi.stubGlobal('location', new URL(`${origin}/app/`))
    server.use(http.get('/app/users', ({ request }) => HttpResponse.json(request.url)))
    server.listen({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch('users?a=1')).json()).toBe(`${origin}/app/users?a=1`)
    expect(await (await fetch('/json')).json()).toEqual({ id: 1 })
    vi.unstubAllGlobals()
  })
})

test('headers from before interception are kept in copies', async () => {
  class EarlyRequest extends Request {}
  server.use(
    http.post('*/echo', ({ request }) => {
      const headers = new Headers(request.headers)
      const response = HttpResponse.json({ authorization: headers.get('authorization') })
      response.headers.set('x-a', '1')
      return new HttpResponse(response.body, response)
    }),
  )
  server.listen()
  const response = await fetch(new EarlyRequest(`${origin}/echo`, post))
  expect(await response.json()).toEqual({ authorization: 'secret' })
  expect(response.headers.get('content-type')).toBe('application/json')
})

test('no data of a request is kept after its end', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const kept: WeakRef<object>[] = []
  const controller = new AbortController()
  server.use(
    http.post('*/mocked', async ({ request, finalize }) => {
      kept.push(new WeakRef(request), new WeakRef(request.signal))
      finalize(() => {})
      return HttpResponse.json((await request.json()) as object)
    }),
    http.get('*/json', ({ request }) => void kept.push(new WeakRef(request))),
  )
  server.listen({ onUnhandledRequest: 'bypass' })
  const ask = async (path: string, init: RequestInit): Promise<void> => {
    const response = await fetch(`${origin}${path}`, { ...init, signal: controller.signal })
    kept.push(new WeakRef(response))
    await response.json()
  }
  for (let round = 0; round < 20; round += 1) {
    await ask('/mocked', { method: 'POST', body: '{}' })
    await ask('/json', {})
  }
  expect(kept).toHaveLength(20 * 5)
  await expect
    .poll(() => {
      collectGarbage()
      return kept.filter((reference) => reference.deref() !== undefined).length
    })
    .toBe(0)
})
