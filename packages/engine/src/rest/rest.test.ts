import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Handler } from '../core/handlers/request-handler.ts'
import { cookieJarOf } from '../core/network/cookie-jar-of.ts'
import { getResponse } from '../core/network/get-response.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { rest } from './rest.ts'

const baseUrl = 'https://example.com'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the response of handlers to a request. */
async function ask(handlers: Handler | readonly Handler[], input: string, init?: RequestInit): Promise<Response> {
  const list = Array.isArray(handlers) ? (handlers as readonly Handler[]) : [handlers as Handler]
  const response = await getResponse(list, new Request(new URL(input, baseUrl), init), { baseUrl })
  if (!response) throw new Error(`No handler answered ${input}.`)
  return response
}

function createNetwork(handlers: readonly Handler[]): Network {
  return new Network(handlers, { baseUrl })
}

function post(body: BodyInit, type?: string): RequestInit {
  return { method: 'POST', body, ...(type && { headers: { 'Content-Type': type } }) }
}

describe('matching', () => {
  test.each(['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const)('rest.%s', async (name) => {
    const handler = rest[name]('/x', (_req, res, ctx) => res(ctx.status(207)))
    expect((await ask(handler, '/x', { method: name.toUpperCase() })).status).toBe(207)
    const other = name === 'get' ? 'POST' : 'GET'
    expect(await getResponse([handler], new Request(`${baseUrl}/x`, { method: other }), { baseUrl })).toBe(undefined)
  })

  test('rest.all matches any method', async () => {
    const handler = rest.all('/x', (req, res, ctx) => res(ctx.text(req.method)))
    expect(await (await ask(handler, '/x')).text()).toBe('GET')
    expect(await (await ask(handler, '/x', { method: 'DELETE' })).text()).toBe('DELETE')
  })

  test('a path and a RegExp give params', async () => {
    const named = rest.get('/user/:id/:tab?', (req, res, ctx) => res(ctx.json(req.params)))
    expect(await (await ask(named, '/user/a%20b')).json()).toEqual({ id: 'a b' })
    const numbered = rest.get(/\/user\/(\d+)/, (req, res, ctx) => res(ctx.json(req.params)))
    expect(await (await ask(numbered, '/user/5')).json()).toEqual({ 0: '5' })
  })

  test('prints a warning about a query in the path, and ignores it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const handler = rest.get('/search?q=:term', (req, res, ctx) => res(ctx.text(req.url.searchParams.get('q') ?? '')))
    expect(warn.mock.calls[0]?.[0]).toMatch(
      /^\[understudy\] The handler GET \/search\?q=:term \(.*rest\.test\.ts.*:\d+:\d+\) has "\?q=:term" in its path, which is ignored\. Write '\/search' and read the query in the resolver: req\.url\.searchParams\.get/,
    )
    expect(await (await ask(handler, '/search?q=cats')).text()).toBe('cats')
  })

  test('returns the place where the handler was written', () => {
    const handler = rest.get('/x', () => {})
    expect(handler.info.header).toBe('GET /x')
    expect(handler.info.callSite?.file).toContain('rest.test')
  })
})

describe('what a resolver may return', () => {
  test('res(): 200, without a body', async () => {
    const response = await ask(
      rest.get('/x', (_req, res) => res()),
      '/x',
    )
    expect([response.status, response.statusText, await response.text()]).toEqual([200, 'OK', ''])
  })

  test('undefined: the next handler answers', async () => {
    const seen: string[] = []
    const handlers = [
      rest.get('/x', (req) => {
        seen.push(req.id)
      }),
      rest.get('/x', async () => undefined),
      rest.get('/x', (_req, res, ctx) => res(ctx.text('second'))),
    ]
    expect(await (await ask(handlers, '/x')).text()).toBe('second')
    expect(seen).toHaveLength(1)
  })

  test('req.passthrough(): the request goes to the network, and no other handler is asked', async () => {
    const network = createNetwork([
      rest.get('/x', (req) => req.passthrough()),
      rest.get('/x', (_req, res, ctx) => res(ctx.text('never'))),
    ])
    const outcome = await handleRequest(new Request(`${baseUrl}/x`), network)
    expect(outcome.type).toBe('passthrough')
  })

  test('a generator: one yield for each request, the last repeats', async () => {
    const handler = rest.get('/x', function* (_req, res, ctx) {
      yield res(ctx.text('first'))
      yield res(ctx.text('second'))
      return res(ctx.text('last'))
    })
    const answers = []
    for (let i = 0; i < 4; i += 1) answers.push(await (await ask(handler, '/x')).text())
    expect(answers).toEqual(['first', 'second', 'last', 'last'])
  })

  test('an asynchronous generator', async () => {
    const handler = rest.get('/x', async function* (_req, res, ctx) {
      yield res(ctx.text('first'))
      yield await res(ctx.text('second'))
    })
    const answers = []
    for (let i = 0; i < 3; i += 1) answers.push(await (await ask(handler, '/x')).text())
    expect(answers).toEqual(['first', 'second', 'second'])
  })

  test('a Response, and the current resolver arguments', async () => {
    const handler = rest.get('/user/:id', ({ request, params }) =>
      HttpResponse.json({ id: params.id, url: request.url }),
    )
    expect(await (await ask(handler, '/user/5')).json()).toEqual({ id: '5', url: `${baseUrl}/user/5` })
  })

  test('a thrown Response', async () => {
    const handler = rest.get('/x', () => {
      throw HttpResponse.text('no', { status: 401 })
    })
    expect((await ask(handler, '/x')).status).toBe(401)
  })

  test('a thrown error is a 500, with the handler on the console', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const handler = rest.get('/x', () => {
      throw new TypeError('Boom')
    })
    const response = await ask(handler, '/x')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ name: 'TypeError', message: 'Boom' })
    expect(error.mock.calls[0]?.[0]).toContain('the handler GET /x (')
  })
})

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

async function askNetwork(network: Network): Promise<string> {
  const outcome = await handleRequest(new Request(`${baseUrl}/x`), network)
  return outcome.type === 'mocked' ? outcome.response.text() : outcome.type
}

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

describe('req', () => {
  test('has the properties of the request', async () => {
    const handler = rest.post('/user/:id', (req, res, ctx) =>
      res(
        ctx.json({
          url: req.url instanceof URL && req.url.href,
          search: req.url.searchParams.getAll('tag'),
          method: req.method,
          params: req.params,
          header: req.headers.get('x-test'),
          all: req.headers.all()['x-test'],
          credentials: req.credentials,
          cache: req.cache,
          mode: req.mode,
          redirect: req.redirect,
          keepalive: req.keepalive,
          integrity: req.integrity,
          destination: req.destination,
          strings: [typeof req.id, typeof req.referrer, typeof req.referrerPolicy],
        }),
      ),
    )
    const response = await ask(handler, '/user/5?tag=a&tag=b', {
      method: 'POST',
      body: 'x',
      cache: 'no-store',
      credentials: 'include',
      redirect: 'manual',
      headers: { 'X-Test': 'yes' },
    })
    expect(await response.json()).toEqual({
      url: `${baseUrl}/user/5?tag=a&tag=b`,
      search: ['a', 'b'],
      method: 'POST',
      params: { id: '5' },
      header: 'yes',
      all: 'yes',
      credentials: 'include',
      cache: 'no-store',
      mode: 'cors',
      redirect: 'manual',
      keepalive: false,
      integrity: '',
      destination: '',
      strings: ['string', 'string', 'string'],
    })
  })

  test('headers contain the cookies', async () => {
    const told: (string | boolean | null)[] = []
    const network = createNetwork([
      rest.post('/login', ({ headers }, res, ctx) => {
        told.push(headers.has('Cookie'), headers.get('cookie'), headers.get('x-sent'))
        headers.set('cookie', 'changed=1')
        told.push(headers.get('Cookie'))
        return res(ctx.cookie('session', '1'))
      }),
    ])
    // In a page, the cookies of earlier tests remain.
    cookieJarOf(network).clear()
    const init: RequestInit = { method: 'POST', headers: { 'X-Sent': 'yes' }, credentials: 'include' }
    await handleRequest(new Request(`${baseUrl}/login`, init), network)
    expect(told.splice(0)).toEqual([false, null, 'yes', 'changed=1'])
    await handleRequest(new Request(`${baseUrl}/login`, init), network)
    expect(told).toEqual([true, 'session=1', 'yes', 'changed=1'])
    cookieJarOf(network).clear()
  })

  test('id is that of the life-cycle events', async () => {
    const ids: string[] = []
    const network = createNetwork([
      rest.get('/x', (req, res) => {
        ids.push(req.id)
        return res()
      }),
    ])
    network.events.on('request:start', ({ requestId }) => ids.push(requestId))
    await handleRequest(new Request(`${baseUrl}/x`), network)
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  })

  const form = new FormData()
  form.append('name', 'Ada')
  form.append('tag', 'a')
  form.append('tag', 'b')
  form.append('__proto__', 'x')

  test.each<[string, RequestInit, unknown]>([
    ['JSON', post('{"a":1}', 'application/json'), { a: 1 }],
    ['JSON with a suffix and a charset', post('[1]', 'application/vnd.api+json; charset=utf-8'), [1]],
    ['a JSON value that is false', post('false', 'application/json'), false],
    ['broken JSON, as text', post('{"a":', 'application/json'), '{"a":'],
    ['text', post('hello', 'text/plain'), 'hello'],
    ['a urlencoded form, as text', post(new URLSearchParams({ a: '1', b: '2' })), 'a=1&b=2'],
    ['a broken multipart form, as text', post('--x\r\nnothing', 'multipart/form-data; boundary=x'), '--x\r\nnothing'],
    ['no body of a POST', { method: 'POST' }, ''],
  ])('body: %s', async (_title, init, expected) => {
    const handler = rest.post('/x', (req, res, ctx) => res(ctx.json([req.body])))
    expect(await (await ask(handler, '/x', init)).json()).toEqual([expected])
  })

  test('body: undefined for a GET', async () => {
    const handler = rest.get('/x', (req, res, ctx) => res(ctx.text(typeof req.body)))
    expect(await (await ask(handler, '/x')).text()).toBe('undefined')
  })

  test('body: a multipart form as a record, which reaches no prototype', async () => {
    let record: unknown
    const handler = rest.post('/x', (req, res) => {
      record = req.body
      return res()
    })
    await ask(handler, '/x', post(form))
    expect(Object.getPrototypeOf(record)).toBe(null)
    expect(Object.entries(record as object)).toEqual([
      ['name', 'Ada'],
      ['tag', ['a', 'b']],
      ['__proto__', 'x'],
    ])
  })

  test('body: a file of a multipart form, byte for byte', async () => {
    const bytes = new Uint8Array([0, 255, 13, 10, 128])
    const upload = new FormData()
    upload.append('file', new File([bytes], 'a.bin', { type: 'image/png' }))
    let file: File | undefined
    const handler = rest.post<{ file: File }>('/x', (req, res) => {
      file = req.body.file
      return res()
    })
    await ask(handler, '/x', post(upload))
    expect([file?.name, file?.type]).toEqual(['a.bin', 'image/png'])
    expect(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes)
  })

  test('json(), text() and arrayBuffer() read once, and body any number of times', async () => {
    const handler = rest.post('/x', async (req, res, ctx) => {
      const before = req.bodyUsed
      const copy = req.clone()
      const json = await req.json()
      const failed = await req.text().catch((error: unknown) => String(error))
      return res(
        ctx.json({
          before,
          after: req.bodyUsed,
          json,
          failed,
          body: [req.body, req.body],
          copy: [copy.bodyUsed, await copy.text(), copy.url.pathname],
          bytes: (await req.clone().arrayBuffer()).byteLength,
        }),
      )
    })
    expect(await (await ask(handler, '/x', post('{"a":1}', 'application/json'))).json()).toEqual({
      before: false,
      after: true,
      json: { a: 1 },
      failed: expect.stringContaining('its body was already read'),
      body: [{ a: 1 }, { a: 1 }],
      copy: [false, '{"a":1}', '/x'],
      bytes: 7,
    })
  })
})

describe('bad input', () => {
  test.each<[string, () => unknown, RegExp]>([
    [
      'no resolver',
      () => rest.get('/x', undefined as never),
      /create the handler GET \/x: its second argument is undefined/,
    ],
    ['a function for a path', () => rest.get((() => true) as never, () => {}), /its path is a function/],
    ['a number for a path', () => rest.get(5 as never, () => {}), /its first argument is the number 5/],
  ])('%s', (_title, make, message) => {
    expect(make).toThrow(message)
  })

  test.each<[string, Parameters<typeof rest.get>[1], string]>([
    ['a string', (() => 'text') as never, 'its resolver returned the string "text"'],
    [
      'a transformer',
      ((_req: unknown, _res: unknown, ctx: { text(body: string): unknown }) => ctx.text('x')) as never,
      'the resolver of GET /x returned a function. Return the result of res()',
    ],
    [
      'an object in res()',
      (_req, res) => res(false, { status: 200 } as never),
      'argument 2 of res() is an object with the keys status',
    ],
    [
      'an object for a body',
      (_req, res, ctx) => res(ctx.body({ a: 1 } as never)),
      'its body is an object with the keys a. Use ctx.json(',
    ],
    ['a status out of range', (_req, res, ctx) => res(ctx.status(99)), '99'],
  ])('a resolver that returns %s', async (_title, resolver, message) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const response = await ask(rest.get('/x', resolver), '/x')
    expect(response.status).toBe(500)
    expect((await response.json()).message).toContain(message)
  })
})
