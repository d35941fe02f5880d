import { once } from 'node:events'
import { request as send, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { graphql, http, HttpResponse } from '../index.ts'
import { createFetchHandler, type FetchHandler } from './create-fetch-handler.ts'
import { type Running, handlers, listen, toRunning } from './testing/serve.ts'

const serveGraphQL = createFetchHandler([graphql.query('GetUser', () => HttpResponse.json({ data: {} }))])

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
      '  near: GET /user/:id: segment 1 differs: `user` expected, `users` sent; method differs: GET expected, DELETE sent',
      expect.stringMatching(/^ {8}at \S+testing\/serve\.ts:\d+:\d+$/),
      '  If it should be mocked, add this handler:',
      "  http.delete('/users/:id', () => HttpResponse.json({})),",
      '',
    ])
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
