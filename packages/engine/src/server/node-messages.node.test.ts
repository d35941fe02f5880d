import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { http } from '../http/http.ts'
import { createMiddleware, type Middleware } from './create-middleware.ts'
import { listen, type ServerOptions } from './listen.ts'

/** The used interface of Express, which has no types. */
interface Express extends RequestListener {
  use(...args: unknown[]): void
}
const require = createRequire(import.meta.url)
const express = require('express') as (() => Express) & {
  json(): Middleware
  urlencoded(options: { extended: boolean }): Middleware
}
const connect = require('connect') as () => Express

const handlers = [
  http.get('/user/:id', ({ params, cookies }) =>
    HttpResponse.json(
      { id: params.id, session: cookies['session'] },
      {
        headers: [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-Own', 'yes'],
        ],
      },
    ),
  ),
  http.post('/echo', async ({ request }) => HttpResponse.json({ got: await request.json() }, { status: 201 })),
  http.post('/form', async ({ request }) => HttpResponse.json([...(await request.formData())])),
  http.get('/empty', () => new HttpResponse(null, { status: 204 })),
  http.get('/through', () => passthrough()),
  http.get('/broken', () => HttpResponse.error()),
  http.post('/read-and-left', async ({ request }) => void (await request.text())),
  http.get('/stream', () => {
    const chunks = ['one ', 'two']
    return new HttpResponse(
      new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk === undefined) controller.close()
          else controller.enqueue(new TextEncoder().encode(chunk))
        },
      }),
    )
  }),
]

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closings.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const createdBy =
  (create: () => Express) =>
  (middleware: unknown, ...before: unknown[]): Express => {
    const made = create()
    for (const each of before) made.use(each)
    made.use(middleware)
    made.use((request: { url: string; body?: unknown }, response: { end(text: string): void }) =>
      response.end(`next ${request.url} ${JSON.stringify(request.body)}`),
    )
    made.use(
      (error: Error, _request: unknown, response: { statusCode: number; end(text: string): void }, _next: unknown) => {
        response.statusCode = 500
        response.end(error.message)
      },
    )
    return made
  }

const json = { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } }

describe.each([
  ['Express', express],
  ['Connect', connect],
])('createMiddleware, in %s', (_name, create) => {
  const app = createdBy(create)

  test('answers with handlers, and keeps every Set-Cookie', async () => {
    const url = await serve(app(createMiddleware(handlers)))
    const response = await fetch(`${url}/user/5`, { headers: { Cookie: 'session=abc' } })
    expect(await response.json()).toEqual({ id: '5', session: 'abc' })
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
    expect((await fetch(`${url}/empty`)).status).toBe(204)
    expect(await (await fetch(`${url}/stream`)).text()).toBe('one two')
  })

  test('reads bodies, also those that a parser has read', async () => {
    for (const before of [[], [express.json()]]) {
      const url = await serve(app(createMiddleware(handlers), ...before))
      const response = await fetch(`${url}/echo`, json)
      expect([response.status, await response.json()]).toEqual([201, { got: { a: 1 } }])
    }
  })

  test.each([
    ['a=1&b=2&b=3&c[d]=4&c[e][]=5', true],
    ['a=1&a=2', false],
  ])('the form %s that a parser has read has all its fields', async (form, extended) => {
    const url = await serve(app(createMiddleware(handlers), express.urlencoded({ extended })))
    const response = await fetch(`${url}/form`, { method: 'POST', body: new URLSearchParams(form) })
    const fields = [...new URLSearchParams(form.replace('[]', ''))]
    expect(await response.json()).toEqual(fields)
  })

  test('leaves requests to the next middleware, with their bodies', async () => {
    const made = app(createMiddleware(handlers))
    const url = await serve(made)
    expect(await (await fetch(`${url}/through`)).text()).toBe('next /through undefined')
    expect(await (await fetch(`${url}/nowhere?a=1`)).text()).toBe('next /nowhere?a=1 undefined')
    const parsing = create()
    parsing.use(createMiddleware(handlers))
    parsing.use(express.json())
    parsing.use((request: { body: unknown }, response: { end(text: string): void }) =>
      response.end(JSON.stringify(request.body)),
    )
    expect(await (await fetch(`${await serve(parsing)}/nowhere`, json)).text()).toBe('{"a":1}')
  })

  test('fails a request whose body a handler has read, and says what to do', async () => {
    const url = await serve(app(createMiddleware(handlers)))
    const failed = await fetch(`${url}/read-and-left`, json)
    expect(failed.status).toBe(500)
    expect(await failed.text()).toMatch(/^Failed to pass on POST .*: a handler read its body, .*express\.json\(\)/)
    const parsed = await serve(app(createMiddleware(handlers), express.json()))
    expect(await (await fetch(`${parsed}/read-and-left`, json)).text()).toBe('next /read-and-left {"a":1}')
  })

  test('closes the connection for a network error', async () => {
    const url = await serve(app(createMiddleware(handlers)))
    await expect(fetch(`${url}/broken`)).rejects.toThrow(TypeError)
  })

  test('is relative to the path at which it is mounted', async () => {
    const made = create()
    made.use('/api', createMiddleware(handlers))
    expect(await (await fetch(`${await serve(made)}/api/user/5`)).json()).toMatchObject({ id: '5' })
  })

  test('applies onUnhandledRequest', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const url = await serve(app(createMiddleware(handlers, { onUnhandledRequest: 'error' })))
    await expect(fetch(`${url}/nowhere`)).rejects.toThrow(TypeError)
    expect(printed).toHaveBeenCalledOnce()
    printed.mockRestore()
  })

  test('reports invalid arguments', () => {
    expect(() => createMiddleware({} as never)).toThrow(/^Failed to create a middleware: its handlers are an object/)
    expect(() => createMiddleware([5 as never])).toThrow(/^Failed to create a middleware: item 1 is /)
    expect(() => createMiddleware([], { onUnhandledRequest: 'no' as never })).toThrow(/is not a valid strategy/)
  })
})

describe('listen', () => {
  async function start(options: ServerOptions = {}): Promise<string> {
    const { url, close } = await listen(handlers, options)
    closings.push(close)
    return url
  }

  test('answers on a port, and explains unhandled requests', async () => {
    const url = await start()
    expect(await (await fetch(`${url}/user/5`)).json()).toMatchObject({ id: '5' })
    const missing = await fetch(`${url}/users/5`)
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('GET /user/:id')])
    await expect(fetch(`${url}/broken`)).rejects.toThrow(TypeError)
  })

  test('lets pages of other origins read, unless `cors` is false', async () => {
    const headers = { Origin: 'https://app.example.com' }
    const url = await start()
    const response = await fetch(`${url}/user/5`, { headers })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(response.headers.get('access-control-expose-headers')).toContain('x-own')
    const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-a, content-type' }
    const preflight = await fetch(`${url}/echo`, { method: 'OPTIONS', headers: { ...headers, ...asked } })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-a, content-type')
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    const closed = await start({ cors: false })
    expect((await fetch(`${closed}/user/5`, { headers })).headers.has('access-control-allow-origin')).toBe(false)
    expect((await fetch(`${closed}/echo`, { method: 'OPTIONS', headers: { ...headers, ...asked } })).status).toBe(404)
  })

  test('reports a port that is in use, and an invalid option', async () => {
    const { port, close } = await listen([])
    closings.push(close)
    await expect(listen([], { port })).rejects.toThrow(/^Failed to listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/)
    await expect(listen([], { port: 3.5 })).rejects.toThrow(/^Failed to listen: "port" is the number 3\.5/)
  })

  test('closes open connections, too', async () => {
    const { url, close } = await listen([http.get('/slow', () => new Promise<never>(() => {}))])
    const hanging = fetch(`${url}/slow`)
    const outcome = hanging.then(
      () => 'answered',
      () => 'failed',
    )
    await vi.waitFor(async () => expect((await fetch(`${url}/nowhere`)).status).toBe(404))
    await close()
    expect(await outcome).toBe('failed')
  })
})

/** Returns the ways to serve handlers from Node, each with a function that starts it and returns its URL. */
const startsOf = (list: Parameters<typeof listen>[0]): [name: string, start: () => Promise<string>][] => [
  [
    'listen()',
    async () => {
      const { url, close } = await listen(list)
      closings.push(close)
      return url
    },
  ],
  ['createMiddleware()', () => serve(createdBy(express)(createMiddleware(list)))],
]

describe('a Content-Encoding', () => {
  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  const body = JSON.stringify({ name: 'Ada', born: 1815 })
  const headersOf = (coding: unknown): Record<string, string> => ({
    'Content-Encoding': String(coding),
    'Content-Type': 'application/json',
    'Set-Cookie': 'a=1',
  })
  const list = [
    http.get('/plain/:coding', ({ params }) => new HttpResponse(body, { headers: headersOf(params.coding) })),
    http.get('/streamed/:coding', ({ params }) => {
      const stream = new Blob([body]).stream()
      return new HttpResponse(stream, { headers: headersOf(params.coding) })
    }),
    http.get('/compressed/:coding', ({ params }) => {
      const compressed = codings[params.coding as keyof typeof codings](body)
      return new HttpResponse(new Uint8Array(compressed), {
        headers: { ...headersOf(params.coding), 'Content-Length': String(compressed.byteLength) },
      })
    }),
  ]

  test.each(startsOf(list))('of %s stays only if the body has it', async (_name, start) => {
    const url = await start()
    const read = async (path: string): Promise<unknown[]> => {
      const response = await fetch(`${url}${path}`)
      return [await response.text(), response.headers.get('content-encoding'), response.headers.get('set-cookie')]
    }
    for (const coding of Object.keys(codings)) {
      expect(await read(`/plain/${coding}`)).toEqual([body, null, 'a=1'])
      expect(await read(`/streamed/${coding}`)).toEqual([body, null, 'a=1'])
      expect(await read(`/compressed/${coding}`)).toEqual([body, coding, 'a=1'])
    }
  })
})

describe('a response that declares a wrong Content-Length', () => {
  test.each([100, 2])('%i, is sent with the true one by createMiddleware', async (length) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const create = (): HttpResponse => new HttpResponse('hello', { headers: { 'Content-Length': String(length) } })
    const middleware = createMiddleware([http.get('/wrong', create)])
    const url = await serve((message, response) => middleware(message, response, () => response.end()))
    const response = await fetch(`${url}/wrong`)
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['5', 'hello'])
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('US0222'))
  })
})

describe('a stream that refuses to be cancelled', () => {
  const create = (): Response => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('abc')),
      cancel() {
        throw new Error('no')
      },
    })
    return new Response(stream, { headers: { 'Content-Length': '2' } })
  }
  const list = [http.head('/stream', create), http.get('/stream', create)]

  test.each(startsOf(list))('is answered by %s', async (_name, start) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const url = await start()
    expect((await fetch(`${url}/stream`, { method: 'HEAD' })).status).toBe(200)
    // It is longer than the declared length.
    expect(await (await fetch(`${url}/stream`)).text()).toBe('ab')
  })
})

describe('headers that Node refuses to send', () => {
  test('a trailer is left out', async () => {
    const server = await listen([
      http.get('/trailer', () => HttpResponse.text('ok', { headers: { Trailer: 'Expires' } })),
    ])
    closings.push(() => void server.close())
    const response = await fetch(`${server.url}/trailer`)
    expect([response.status, response.headers.has('trailer'), await response.text()]).toEqual([200, false, 'ok'])
  })

  test('a control character causes the status 500, and the console says why', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const server = await listen([
      http.get('/control', () => HttpResponse.text('ok', { headers: { 'X-A': 'a\u0001b' } })),
    ])
    closings.push(() => void server.close())
    const response = await fetch(`${server.url}/control`)
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('"x-a"')])
    expect(error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('US0417'))
  })
})
