import { describe, expect, test, vi } from 'vitest'

import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { rest } from './rest.ts'
import { ask, baseUrl, createNetwork, post } from './testing/ask-handlers.ts'

async function askNetwork(network: Network): Promise<string> {
  const outcome = await handleRequest(new Request(`${baseUrl}/x`), network)
  return outcome.type === 'mocked' ? outcome.response.text() : outcome.type
}

describe('res', () => {
  test('applies the last transformer first', async () => {
    const handler = rest.get('/x', (_req, res, ctx) => res(ctx.text('text'), ctx.json({ json: true })))
    const response = await ask(handler, '/x')
    expect(await response.text()).toBe('text')
    expect(response.headers.get('content-type')).toBe('text/plain')
  })

  test('ignores false, null and undefined', async () => {
    const handler = rest.get('/x', (_req, res, ctx) => res(false, null, undefined, ctx.text('text')))
    expect(await (await ask(handler, '/x')).text()).toBe('text')
  })

  test('accepts custom transformers, also asynchronous ones', async () => {
    const handler = rest.get('/x', (_req, res, ctx) =>
      res(
        async (given) => {
          await Promise.resolve()
          given.headers.set('X-Seen', String(given.body))
          return given
        },
        (given) => ({ ...given, status: 418 }),
        ctx.text('text'),
      ),
    )
    const response = await ask(handler, '/x')
    expect([response.status, response.headers.get('x-seen')]).toEqual([418, 'text'])
  })

  test('res.once answers one request; the next handler answers the others', async () => {
    const network = createNetwork([
      rest.get('/x', (_req, res, ctx) => res.once(ctx.status(201), ctx.text('once'))),
      rest.get('/x', (_req, res, ctx) => res(ctx.text('always'))),
    ])
    expect(await askNetwork(network)).toBe('once')
    expect(await askNetwork(network)).toBe('always')
    network.layers.restore()
    expect(await askNetwork(network)).toBe('once')
    expect(await askNetwork(network)).toBe('always')
  })

  test('res.once answers only one of two concurrent requests', async () => {
    const network = createNetwork([
      rest.get('/x', async (req, res, ctx) => {
        await req.text()
        return res.once(ctx.text('once'))
      }),
      rest.get('/x', (_req, res, ctx) => res(ctx.text('always'))),
    ])
    const answers = await Promise.all([askNetwork(network), askNetwork(network), askNetwork(network)])
    expect(answers.toSorted()).toEqual(['always', 'always', 'once'])
  })

  test('res.once is used up only by its own response', async () => {
    let isLoggedIn = false
    const network = createNetwork([
      rest.get('/x', (_req, res, ctx) => (isLoggedIn ? res.once(ctx.text('welcome')) : undefined)),
      rest.get('/x', (_req, res, ctx) => res(ctx.text('always'))),
    ])
    expect(await askNetwork(network)).toBe('always')
    isLoggedIn = true
    expect(await askNetwork(network)).toBe('welcome')
    expect(await askNetwork(network)).toBe('always')
    network.layers.restore()
    isLoggedIn = false
    expect(await askNetwork(network)).toBe('always')
    isLoggedIn = true
    expect(await askNetwork(network)).toBe('welcome')
  })

  test('res.once in a generator ends the handler', async () => {
    const network = createNetwork([
      rest.get('/x', function* (_req, res, ctx) {
        yield res(ctx.text('first'))
        yield res.once(ctx.text('second'))
        yield res(ctx.text('never'))
      }),
      rest.get('/x', (_req, res, ctx) => res(ctx.text('always'))),
    ])
    const answers = []
    for (let i = 0; i < 4; i += 1) answers.push(await askNetwork(network))
    expect(answers).toEqual(['first', 'second', 'always', 'always'])
  })

  test('res.networkError fails the request with a reason', async () => {
    const network = createNetwork([rest.get('/x', (_req, res) => res.networkError('Failed to connect to the server'))])
    const outcome = await handleRequest(new Request(`${baseUrl}/x`), network)
    expect(outcome).toMatchObject({ type: 'network-error' })
    expect(String((outcome as { error: unknown }).error)).toMatch(
      /^UnderstudyError: Failed to answer GET https:\/\/example\.com\/x: Failed to connect to the server\. The handler GET \/x \(.+\) chose this error\. \(US0204\)$/,
    )
  })

  test('res.networkError ends the resolver', async () => {
    const after = vi.fn<() => void>()
    const handler = rest.get('/x', (_req, res) => {
      res.networkError('no')
      after()
    })
    expect((await ask(handler, '/x')).type).toBe('error')
    expect(after).not.toHaveBeenCalled()
  })
})

describe('ctx', () => {
  test('status, with the standard text or another one', async () => {
    const handlers = [
      rest.get('/common', (_req, res, ctx) => res(ctx.status(404))),
      rest.get('/own', (_req, res, ctx) => res(ctx.status(404, 'Gone fishing'))),
    ]
    expect((await ask(handlers, '/common')).statusText).toBe('Not Found')
    expect((await ask(handlers, '/own')).statusText).toBe('Gone fishing')
  })

  test.each([204, 205, 304])('a status of %i has no body, even if one is set', async (status) => {
    const handler = rest.get('/x', (_req, res, ctx) => res(ctx.status(status), ctx.json({})))
    const response = await ask(handler, '/x')
    expect([response.status, response.body]).toEqual([status, null])
  })

  test('set: one header, several headers, and both values of a header that is set twice', async () => {
    const handler = rest.get('/x', (_req, res, ctx) =>
      res(ctx.set('X-One', '1'), ctx.set({ 'X-Two': '2', Vary: ['Accept', 'Origin'] }), ctx.set('x-one', 'again')),
    )
    const { headers } = await ask(handler, '/x')
    expect([headers.get('x-one'), headers.get('x-two'), headers.get('vary')]).toEqual([
      'again, 1',
      '2',
      'Accept, Origin',
    ])
  })

  test('cookie: several, with their attributes', async () => {
    const network = createNetwork([
      rest.post('/login', (_req, res, ctx) =>
        res(
          ctx.cookie('theme', 'dark & blue'),
          ctx.cookie('session', '1', { httpOnly: true, maxAge: 60, path: '/', sameSite: 'lax' }),
        ),
      ),
      rest.get('/', (req, res, ctx) => res(ctx.json(req.cookies))),
    ])
    const credentials = 'include'
    const login = await handleRequest(new Request(`${baseUrl}/login`, { method: 'POST', credentials }), network)
    expect(login.type).toBe('mocked')
    const outcome = await handleRequest(new Request(`${baseUrl}/`, { credentials }), network)
    expect(outcome.type === 'mocked' && (await outcome.response.json())).toEqual({ session: '1', theme: 'dark & blue' })
  })

  test('json: any value', async () => {
    const values = [{ a: [1] }, [1, '2'], 'text', 0, false, null]
    for (const value of values) {
      const handler = rest.get('/x', (_req, res, ctx) => res(ctx.json(value)))
      const response = await ask(handler, '/x')
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(await response.json()).toEqual(value)
    }
  })

  test('text and xml', async () => {
    const text = await ask(
      rest.get('/x', (_req, res, ctx) => res(ctx.text('Hallå'))),
      '/x',
    )
    expect([text.headers.get('content-type'), await text.text()]).toEqual(['text/plain', 'Hallå'])
    const xml = await ask(
      rest.get('/x', (_req, res, ctx) => res(ctx.xml('<a/>'))),
      '/x',
    )
    expect([xml.headers.get('content-type'), await xml.text()]).toEqual(['text/xml', '<a/>'])
  })

  test('body: every body of a Response, with a custom type', async () => {
    const bytes = new Uint8Array([0, 255, 128])
    const bodies: BodyInit[] = [bytes, bytes.buffer, new Blob([bytes]), new Response(bytes).body as ReadableStream]
    for (const body of bodies) {
      const handler = rest.get('/x', (_req, res, ctx) => res(ctx.set('Content-Type', 'image/png'), ctx.body(body)))
      const response = await ask(handler, '/x')
      expect(response.headers.get('content-type')).toBe('image/png')
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    }
  })

  test('delay waits before it answers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const handler = rest.get('/x', (_req, res, ctx) => res(ctx.delay(60_000), ctx.text('late')))
      let isThere = false
      const answer = ask(handler, '/x').finally(() => {
        isThere = true
      })
      await vi.advanceTimersByTimeAsync(59_999)
      expect(isThere).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(await (await answer).text()).toBe('late')
    } finally {
      vi.useRealTimers()
    }
  })

  test('an unknown mode of delay is an error that lists the modes', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const handler = rest.get('/x', (_req, res, ctx) => res(ctx.delay('forever' as 'real')))
    const response = await ask(handler, '/x')
    expect(response.status).toBe(500)
    expect((await response.json()).message).toContain('"forever"')
  })

  test('fetch sends the request without asking handlers, with its method, headers and body', async () => {
    const performed: Request[] = []
    vi.stubGlobal('fetch', async (input: Request) => {
      performed.push(input)
      return Response.json({ real: true })
    })
    try {
      const handler = rest.post('/x', async (req, res, ctx) => {
        const original = await (await ctx.fetch(req)).json()
        return res(ctx.json({ ...original, patched: true }))
      })
      const response = await ask(handler, '/x', post('{"a":1}', 'application/json'))
      expect(await response.json()).toEqual({ real: true, patched: true })
      const [request] = performed
      expect(request?.method).toBe('POST')
      expect(request?.url).toBe(`${baseUrl}/x`)
      expect(request?.headers.get('content-type')).toBe('application/json')
      expect(request?.headers.get('accept')).toContain('understudy/passthrough')
      expect(await request?.text()).toBe('{"a":1}')
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('fetch takes a URL, and headers that the resolver changed', async () => {
    const performed: Request[] = []
    vi.stubGlobal('fetch', async (input: Request) => {
      performed.push(input)
      return new Response()
    })
    try {
      const handler = rest.get('/x', async (req, res, ctx) => {
        req.headers.set('X-Added', '1')
        await ctx.fetch(req)
        await ctx.fetch('https://other.example/y', { method: 'DELETE' })
        return res()
      })
      await ask(handler, '/x')
      expect(performed[0]?.headers.get('x-added')).toBe('1')
      expect([performed[1]?.url, performed[1]?.method]).toEqual(['https://other.example/y', 'DELETE'])
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
