import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { gzipSync } from 'node:zlib'

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { bypass, graphql, http, HttpResponse, passthrough, type Handler } from '../index.ts'
import { createFetchHandler, type FetchHandler } from './create-fetch-handler.ts'

/** Serves a Fetch-style function with `node:http`, as in `docs/server.md`. */
function listen(fetchHandler: FetchHandler): Server {
  return createServer((incoming, outgoing) => {
    async function answer(): Promise<void> {
      const { method = 'GET', url = '/', headers } = incoming
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const init = {
        method,
        headers: Object.entries(headers).flatMap(([name, values = []]) =>
          [values].flat().map((value): [string, string] => [name, value]),
        ),
        body: hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null,
        duplex: 'half',
      } as RequestInit
      const response = await fetchHandler(new Request(`http://${headers.host}${url}`, init))
      outgoing.statusMessage = response.statusText
      outgoing.setHeaders(response.headers)
      outgoing.writeHead(response.status)
      if (response.body) await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing)
      else outgoing.end()
    }
    answer().catch((error: unknown) => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500).end(String(error))
    })
  }).listen(0)
}

const serveGraphQL = createFetchHandler([graphql.query('GetUser', () => HttpResponse.json({ data: {} }))])

const handlers: Handler[] = [
  http.get('/user/:id', ({ params }) => HttpResponse.json({ id: params.id }, { headers: { 'X-A': 'b' } })),
  http.post('/echo', async ({ request }) =>
    HttpResponse.json({ type: request.headers.get('content-type'), body: await request.text() }, { status: 201 }),
  ),
  http.post('/upload', async ({ request }) => {
    const file = (await request.formData()).get('file') as File
    return HttpResponse.json([file.name, await file.text()])
  }),
  http.get('/login', () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2; HttpOnly'],
    ])
    return new HttpResponse(null, { status: 204, headers })
  }),
  http.get('/me', ({ cookies }) => HttpResponse.json(cookies)),
  http.get('/stream', () => {
    const chunks = ['one', 'two']
    return new HttpResponse(
      new ReadableStream({
        pull(controller) {
          const chunk = chunks.shift()
          if (chunk) controller.enqueue(new TextEncoder().encode(chunk))
          else controller.close()
        },
      }),
    )
  }),
  http.get('/thrown', () => {
    throw new TypeError('Boom')
  }),
  http.get('/network-error', () => HttpResponse.error()),
  http.get('/old', () => HttpResponse.redirect('/user/5')),
  graphql.query('GetUser', ({ variables }) => HttpResponse.json({ data: { user: variables } })),
]

interface Running {
  readonly origin: string
  close(): void
}

function toRunning(server: Pick<Server, 'address' | 'close'>): Running {
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, close: () => void server.close() }
}

const platforms: [name: string, start: (fetchHandler: FetchHandler) => Promise<Running>][] = [
  [
    'node:http',
    async (fetchHandler) => {
      const server = listen(fetchHandler)
      await once(server, 'listening')
      return toRunning(server)
    },
  ],
  [
    'Hono',
    async (fetchHandler) => {
      const app = new Hono().get('/own', (context) => context.text('of the app'))
      app.all('*', (context) => fetchHandler(context.req.raw))
      app.onError((error, context) => context.text(error.message, 500))
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const server = serve({ fetch: app.fetch, port: 0 }, resolve)
      await promise
      return toRunning(server as Server)
    },
  ],
  [
    'a module with a `fetch` export, like a Cloudflare worker',
    async (fetchHandler) => {
      const worker = { fetch: (request: Request) => fetchHandler(request) }
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const server = serve({ ...worker, port: 0 }, resolve)
      await promise
      return toRunning(server as Server)
    },
  ],
]

describe.each(platforms)('on %s', (_, start) => {
  let running: Running
  beforeAll(async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined)
    running = await start(createFetchHandler(handlers))
  })
  afterAll(() => {
    running.close()
    vi.restoreAllMocks()
  })

  test('a handler answers, with status, headers and body', async () => {
    const response = await fetch(`${running.origin}/user/5?full`)
    expect([response.status, response.headers.get('x-a'), await response.json()]).toEqual([200, 'b', { id: '5' }])
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  test('a body is read', async () => {
    const init = { method: 'POST', body: 'Grüße', headers: { 'content-type': 'text/x' } }
    const response = await fetch(`${running.origin}/echo`, init)
    expect([response.status, await response.json()]).toEqual([201, { type: 'text/x', body: 'Grüße' }])
  })

  test('a file is uploaded', async () => {
    const body = new FormData()
    body.set('file', new File(['Grüße'], 'ada.txt'))
    const response = await fetch(`${running.origin}/upload`, { method: 'POST', body })
    expect(await response.json()).toEqual(['ada.txt', 'Grüße'])
  })

  test('several cookies are set, and those of a request are read', async () => {
    const response = await fetch(`${running.origin}/login`)
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, ['a=1; Path=/', 'b=2; HttpOnly']])
    const me = await fetch(`${running.origin}/me`, { headers: { cookie: 'c=3' } })
    expect(await me.json()).toMatchObject({ c: '3' })
  })

  test('a stream arrives chunk by chunk', async () => {
    expect(await (await fetch(`${running.origin}/stream`)).text()).toBe('onetwo')
  })

  test('HEAD has no body', async () => {
    const response = await fetch(`${running.origin}/user/5`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([404, ''])
  })

  test('the client follows redirects', async () => {
    const response = await fetch(`${running.origin}/old`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/user/5'])
    expect(await (await fetch(`${running.origin}/old`)).json()).toEqual({ id: '5' })
  })

  test('GraphQL is answered', async () => {
    const query = 'query GetUser($id: ID!) { user(id: $id) { id } }'
    const response = await fetch(`${running.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: '5' } }),
    })
    expect(await response.json()).toEqual({ data: { user: { id: '5' } } })
  })

  test('a GraphQL request may be read again by each resolver', async () => {
    const list = [
      graphql.operation(async ({ request }) => {
        await request.json()
      }),
      graphql.query(
        async ({ request }) => (await request.text()).includes('GetUser'),
        async ({ request }) => HttpResponse.json({ data: (await request.json()) as object }),
      ),
    ]
    const body = { query: 'query GetUser { user }', variables: { id: 'ü' } }
    const request = new Request('http://localhost/graphql', { method: 'POST', body: JSON.stringify(body) })
    expect(await (await createFetchHandler(list)(request)).json()).toEqual({ data: body })
  })

  test('GraphQL that no handler matches is a 404 that names the operation', async () => {
    const body = JSON.stringify({ query: 'query GetUsers { users }' })
    const response = await serveGraphQL(new Request('http://localhost/graphql', { method: 'POST', body }))
    expect(response.status).toBe(404)
    const text = await response.text()
    expect(text).toContain('No handler matches query GetUsers')
    expect(text).toContain('near: query GetUser')
    expect(text).toContain("graphql.query('GetUsers', () => HttpResponse.json({ data: {} })),")
  })

  test('a resolver that throws is a 500 of the server', async () => {
    const response = await fetch(`${running.origin}/thrown`)
    expect([response.status, await response.json()]).toEqual([500, expect.objectContaining({ message: 'Boom' })])
  })

  test('a network error is left to the platform', async () => {
    const outcome = await fetch(`${running.origin}/network-error`).then(({ status }) => status)
    expect(outcome).toBe(500)
  })

  test('an unhandled request is a 404 that names the nearest handler', async () => {
    const response = await fetch(`${running.origin}/users/5`, { method: 'DELETE' })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
    const lines = (await response.text()).split('\n')
    expect(lines).toEqual([
      'No handler matches DELETE /users/5 (US1014)',
      '  near: GET /user/:id: segment 1 differs: `user` / `users`; method differs: GET expected, DELETE sent',
      expect.stringMatching(/^ {8}at \S+create-fetch-handler\.node\.test\.ts:\d+:\d+$/),
      '  If it should be mocked, add this handler:',
      "  http.delete('/users/:id', () => HttpResponse.json({})),",
      '',
    ])
  })
})

describe('a request that is passed on', () => {
  const reached: IncomingMessage[] = []
  const bytesReached: Buffer[] = []
  const upstream = createServer((request, response) => {
    reached.push(request)
    void buffer(request).then((bytes) => {
      bytesReached.push(bytes)
      const body = bytes.toString()
      if (request.url === '/moved') {
        response.writeHead(302, { location: '/elsewhere' }).end()
        return
      }
      const content = gzipSync(JSON.stringify({ method: request.method, url: request.url, body }))
      response.setHeader('Set-Cookie', ['a=1', 'b=2'])
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': content.length }).end(content)
    })
  })
  let baseUrl: string
  let running: Running

  async function run(list: Handler[], options: Parameters<typeof createFetchHandler>[1]): Promise<string> {
    const server = listen(createFetchHandler(list, options))
    await once(server, 'listening')
    running = toRunning(server)
    return running.origin
  }

  beforeAll(async () => {
    upstream.listen(0)
    await once(upstream, 'listening')
    baseUrl = toRunning(upstream).origin
  })
  afterEach(() => {
    running.close()
    reached.length = 0
  })
  afterAll(() => void upstream.close())

  test('goes unchanged to the origin that the server replaces', async () => {
    const origin = await run([], { baseUrl: `${baseUrl}/ignored`, unhandled: 'passthrough' })
    const response = await fetch(`${origin}/echo?a=1`, { method: 'POST', body: 'Grüße', headers: { accept: 'text/x' } })
    expect(await response.json()).toEqual({ method: 'POST', url: '/echo?a=1', body: 'Grüße' })
    expect([response.headers.get('content-encoding'), response.headers.getSetCookie()]).toEqual([null, ['a=1', 'b=2']])
    const [request] = reached
    expect(request?.headers).toMatchObject({ host: new URL(baseUrl).host, accept: 'text/x', via: '1.1 understudy' })
  })

  test('a response that a resolver fetched is sent with the right headers for its body', async () => {
    const list = [
      http.get('/real', () => fetch(`${baseUrl}/echo`)),
      http.get('/moved', () => fetch(bypass(`${baseUrl}/a`))),
    ]
    const origin = await run(list, undefined)
    for (const [path, url] of [
      ['/real', '/echo'],
      ['/moved', '/a'],
    ] as const) {
      const response = await fetch(origin + path)
      expect(await response.json()).toEqual({ method: 'GET', url, body: '' })
      expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
      expect(response.headers.get('content-encoding')).toBe(null)
    }
  })

  test('goes there unchanged after it was parsed as GraphQL', async () => {
    const list = [
      graphql.query('Other', () => HttpResponse.json({})),
      graphql.query('Seen', async ({ request }) => {
        await request.text()
      }),
    ]
    const origin = await run(list, { baseUrl, unhandled: 'perform' })
    const headers = { 'content-type': 'application/json' }
    const none = JSON.stringify({ query: 'Grüße' })
    // The last body is not UTF-8: reading it as text would change its bytes.
    const bodies = [none, JSON.stringify({ query: 'query Seen { a }' }), new Uint8Array([0x7b, 0xff, 0x7d])]
    for (const body of bodies) {
      const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body })
      const sent = typeof body === 'string' ? body : new TextDecoder().decode(body)
      expect(await response.json()).toEqual({ method: 'POST', url: '/graphql', body: sent })
      expect(reached.pop()?.headers['content-type']).toBe('application/json')
    }
    expect(bytesReached.at(-1)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  })

  test('goes there by passthrough() and bypass(), too', async () => {
    const list = [
      http.get('/passed', () => passthrough()),
      http.get('/patched', async ({ request }) => {
        const real = (await (await fetch(bypass(request))).json()) as object
        return HttpResponse.json({ ...real, isPatched: true })
      }),
    ]
    const origin = await run(list, { baseUrl })
    expect(await (await fetch(`${origin}/passed`)).json()).toMatchObject({ url: '/passed' })
    expect(await (await fetch(`${origin}/patched`)).json()).toMatchObject({ url: '/patched', isPatched: true })
  })

  test('leaves a redirect to the client', async () => {
    const origin = await run([], { baseUrl, unhandled: 'passthrough' })
    const response = await fetch(`${origin}/moved`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/elsewhere'])
  })

  test('does not loop', async () => {
    const origin = await run([], { unhandled: 'passthrough' })
    const response = await fetch(`${origin}/user`)
    expect(response.status).toBe(508)
    expect(await response.text()).toContain(`Failed to pass on GET ${origin}/user: it leads back to this server.`)
  })

  test('fails with the platform’s error if the upstream cannot be reached', async () => {
    const serveNowhere = createFetchHandler([], { baseUrl: 'http://localhost:9', unhandled: 'passthrough' })
    await run([], {})
    await expect(serveNowhere(new Request('http://localhost/user'))).rejects.toThrow(TypeError)
  })
})

describe('the origin that a server replaces', () => {
  const list = [
    http.get('https://api.test/absolute', ({ request }) => HttpResponse.text(request.url)),
    http.get('/relative', ({ request }) => HttpResponse.text(request.url)),
  ]
  const ask = async (url: string, baseUrl?: string): Promise<string> => {
    const serveAs = createFetchHandler(list, baseUrl === undefined ? {} : { baseUrl })
    return (await serveAs(new Request(url))).text()
  }

  test('is the origin for its handlers', async () => {
    expect(await ask('http://localhost:3000/absolute?a=1', 'https://api.test/v1')).toBe('https://api.test/absolute?a=1')
    expect(await ask('http://localhost:3000/relative', 'https://api.test')).toBe('https://api.test/relative')
    expect(await ask('http://localhost:3000//evil.test/relative', 'https://api.test')).toContain(
      'No handler matches GET //evil.test/relative',
    )
  })

  test('is the server’s own by default', async () => {
    expect(await ask('http://localhost:3000/relative')).toBe('http://localhost:3000/relative')
    expect(await ask('http://localhost:3000/absolute')).toContain(
      'origin differs: https://api.test expected, http://localhost:3000 sent',
    )
  })
})

describe('options', () => {
  test('onUnhandledRequest decides what is printed, and may refuse the request', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const request = (): Request => new Request('http://localhost/user')
    expect((await createFetchHandler([])(request())).status).toBe(404)
    expect(warn).not.toHaveBeenCalled()
    expect((await createFetchHandler([], { onUnhandledRequest: 'warn' })(request())).status).toBe(404)
    expect(warn).toHaveBeenCalledOnce()
    await expect(createFetchHandler([], { onUnhandledRequest: 'error' })(request())).rejects.toThrow('no handler')
    expect(error).toHaveBeenCalledOnce()
    const onUnhandledRequest = vi.fn<(request: Request) => void>()
    await createFetchHandler([], { onUnhandledRequest })(request())
    expect(onUnhandledRequest.mock.calls[0]?.[0].url).toBe('http://localhost/user')
    vi.restoreAllMocks()
  })

  test.each<[name: string, make: () => unknown, message: string]>([
    [
      'a list in a list',
      () => createFetchHandler([[http.get('/', () => {})] as never]),
      'Failed to create a server: item 1 of argument 1 is an array. Spread it, with three dots: (...handlers).',
    ],
    [
      'a relative base',
      () => createFetchHandler([], { baseUrl: '/api' }),
      'Failed to create a server: "baseUrl" is the string "/api", which is not an http: or https: URL. Use an absolute URL: "https://api.example.com".',
    ],
    [
      'another scheme',
      () => createFetchHandler([], { baseUrl: 'file:///api' }),
      'Failed to create a server: "baseUrl" is the string "file:///api", which is not an http: or https: URL.',
    ],
    [
      'an unknown word',
      () => createFetchHandler([], { unhandled: 'pass' as never }),
      'Failed to create a server: "unhandled" is the string "pass". Use "not-found" or "passthrough".',
    ],
    [
      'an unknown strategy',
      () => createFetchHandler([], { onUnhandledRequest: 'ignore' as never }),
      'Failed to read the option "onUnhandledRequest": "ignore" is not a valid strategy.',
    ],
  ])('%s is refused', (_, make, message) => {
    expect(make).toThrow(message)
  })
})

test('an aborted request ends the work of its resolver', async () => {
  const ended = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const serveSlowly = createFetchHandler([
    http.get('/slow', async ({ finalize }) => {
      finalize(ended.resolve)
      asked.resolve()
      await new Promise(() => {})
    }),
  ])
  const controller = new AbortController()
  const response = serveSlowly(new Request('http://localhost/slow', { signal: controller.signal }))
  await asked.promise
  controller.abort()
  await expect(response).rejects.toHaveProperty('name', 'AbortError')
  await ended.promise
})

test('a client that hangs up ends the stream', async () => {
  const cancelled = Promise.withResolvers<unknown>()
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    cancel: (reason) => cancelled.resolve(reason),
  })
  const server = listen(createFetchHandler([http.get('/endless', () => new HttpResponse(endless))]))
  await once(server, 'listening')
  const request = send(`${toRunning(server).origin}/endless`).end()
  const [message] = (await once(request, 'response')) as [IncomingMessage]
  await once(message, 'data')
  request.destroy()
  await expect(cancelled.promise).resolves.toBeInstanceOf(Error)
  server.close()
})

describe('a wrong Content-Length', () => {
  const headers = (length: string): HeadersInit => ({ 'Content-Length': length, 'X-A': 'b', 'Set-Cookie': 'a=1' })

  test.each(['100', '2'])('of %s is corrected, with a warning', async (length) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const server = listen(
      createFetchHandler([http.get('/patched', () => HttpResponse.json([1, 2], { headers: headers(length) }))]),
    )
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://localhost:${port}/patched`)
    expect([response.status, await response.text()]).toEqual([200, '[1,2]'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': '5',
      'x-a': 'b',
      'set-cookie': 'a=1',
    })
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      `[understudy] The mocked response to GET http://localhost:${port}/patched declares a Content-Length of ${length}, ` +
        'but its body has 5 bytes. Understudy sends the true length. ' +
        'Remove the header, for example by response.headers.delete("content-length"). (US0222)',
    )
    warn.mockRestore()
    server.close()
  })

  test('stays if there is no body to compare it with', async () => {
    const answer = createFetchHandler([
      http.head('/file', () => new HttpResponse(null, { headers: headers('100') })),
      http.get('/file', () => new HttpResponse('abc', { headers: { 'Content-Length': '3' } })),
    ])
    const head = await answer(new Request('http://localhost/file', { method: 'HEAD' }))
    const file = await answer(new Request('http://localhost/file'))
    expect([head.headers.get('content-length'), file.headers.get('content-length')]).toEqual(['100', '3'])
    expect(await file.text()).toBe('abc')
  })

  describe('of a stream', () => {
    /** A stream that sends one piece in each turn, and counts its pulls. */
    function streamOf(pieces: string[]): { body: ReadableStream; pulled: () => number } {
      let count = 0
      const body = new ReadableStream(
        {
          async pull(controller) {
            await new Promise((resolve) => setTimeout(resolve, 5))
            const piece = pieces[count]
            count += 1
            if (piece === undefined) controller.close()
            else controller.enqueue(new TextEncoder().encode(piece))
          },
        },
        { highWaterMark: 0 },
      )
      return { body, pulled: () => count }
    }

    async function answerWith(body: ReadableStream, length: string): Promise<Response> {
      const answer = createFetchHandler([http.get('/file', () => new HttpResponse(body, { headers: headers(length) }))])
      return answer(new Request('http://localhost/file'))
    }

    test('that is right does not buffer the stream, which is read at the client’s speed', async () => {
      const { body, pulled } = streamOf(['ab', 'cd', 'ef', 'gh', 'ij'])
      const response = await answerWith(body, '10')
      expect(pulled()).toBeLessThan(4)
      expect(await response.text()).toBe('abcdefghij')
    })

    test('that is too small cuts the body, with a warning', async () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      const response = await answerWith(streamOf(['abc', 'def', 'ghi']).body, '5')
      expect(await response.text()).toBe('abcde')
      expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('its body has more than 5 bytes'))
      warn.mockRestore()
    })

    test('that is too large fails the body at its end, with a warning', async () => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      const response = await answerWith(streamOf(['abc', 'def']).body, '100')
      await expect(response.text()).rejects.toThrow('terminated')
      expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('its body has 6 bytes'))
      warn.mockRestore()
    })
  })
})
