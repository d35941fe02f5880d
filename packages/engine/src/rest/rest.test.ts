import { describe, expect, test, vi } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { rest } from './rest.ts'
import { ask, baseUrl, createNetwork } from './testing/ask-handlers.ts'

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
    // In a page, the warning is printed after the module.
    await Promise.resolve()
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
