import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { http } from '../http/http.ts'
import { createFetchHandler } from './create-fetch-handler.ts'

const handlers = [
  http.get('/users/:id', ({ params }) => HttpResponse.json({ id: params.id })),
  http.post('/echo', async ({ request }) => HttpResponse.text(await request.text(), { status: 201 })),
  http.post('/session', () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2; Path=/'],
    ])
    return new HttpResponse(null, { status: 204, headers })
  }),
  http.get('/down', () => HttpResponse.error()),
  http.get('/real', () => passthrough()),
]

describe('createFetchHandler', () => {
  const handle = createFetchHandler(handlers)
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    handle(new Request(`https://any.example${path}`, init))

  test('answers as the handlers do, on any origin', async () => {
    expect(await (await ask('/users/5')).json()).toEqual({ id: '5' })
    const echo = await ask('/echo', { method: 'POST', body: 'text' })
    expect([echo.status, await echo.text()]).toEqual([201, 'text'])
  })

  test('sends every cookie', async () => {
    const response = await ask('/session', { method: 'POST' })
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Path=/'])
  })

  test('a request that no handler matches is a 404 that names the nearest', async () => {
    const response = await ask('/user/5')
    expect(response.status).toBe(404)
    const text = await response.text()
    expect(text).toContain('No handler matches GET https://any.example/user/5')
    expect(text).toContain('GET /users/:id')
    expect(text).toContain('segment 1 differs')
  })

  test('rejects for a network error, as a server that cannot answer', async () => {
    await expect(ask('/down')).rejects.toThrow('answers with a network error')
  })

  test.each([
    ['an unspread list', () => createFetchHandler([handlers] as never), 'item 1 is an array'],
    ['an option that is none', () => createFetchHandler(handlers, { unhandled: 'ignore' as never }), '"unhandled" is'],
  ])('%s is a clear error', (_name, create, message) => {
    expect(create).toThrow(message)
  })
})

describe('on a real server', () => {
  const closers: (() => void)[] = []
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  function listen(fetchCallback: (request: Request) => Response | Promise<Response>): Promise<string> {
    return new Promise((resolve) => {
      const server = serve({ fetch: fetchCallback, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}`),
      )
      closers.push(() => server.close())
    })
  }

  test('in Hono, and as the `fetch` of a Worker', async () => {
    const handle = createFetchHandler(handlers)
    const app = new Hono()
      .get('/health', (context) => context.text('up'))
      .all('*', (context) => handle(context.req.raw))
    const worker = { fetch: createFetchHandler(handlers) }
    for (const callback of [(request: Request) => app.fetch(request), worker.fetch]) {
      const origin = await listen(callback)
      expect(await (await fetch(`${origin}/users/7`)).json()).toEqual({ id: '7' })
    }
  })

  test('passes requests on where it is told to', async () => {
    const seen = vi.fn<(url: string) => void>()
    const origin = await listen((request) => {
      seen(new URL(request.url).pathname)
      return new Response('real')
    })
    const handle = createFetchHandler(handlers, { unhandled: 'perform' })
    expect(await (await handle(new Request(`${origin}/real`))).text()).toBe('real')
    expect(await (await handle(new Request(`${origin}/unknown`))).text()).toBe('real')
    expect(seen.mock.calls).toEqual([['/real'], ['/unknown']])
  })
})
