import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { CallSite } from '../core/call-site.ts'
import { getResponse } from '../core/network/get-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from './http.ts'

const url = 'https://app.test/user/5'
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const
const ok = (): Response => HttpResponse.json({})

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the line of its caller. */
function here(): number {
  const frames = new Error('here').stack?.split('\n') ?? []
  const frame = frames.find((text) => text.includes('http.test.ts') && !text.includes('here'))
  return Number(/:(\d+):\d+\)?$/.exec(frame ?? '')?.[1])
}

function place({ file, line, column }: CallSite): string {
  return `${file.replace(/[?#].*$/, '')}:${line}:${column}`
}

describe('methods', () => {
  it('answers a method in lower case, which fetch sends as it is given', async () => {
    const request = new Request(url, { method: 'patch' })
    const answer = await getResponse([http.post(url, ok), http.patch(url, () => HttpResponse.text('patched'))], request)
    expect(await answer?.text()).toBe('patched')
  })

  it.each(methods)('http.%s answers only its own method', async (name) => {
    const handler = http[name](url, ok)
    const answered = []
    for (const method of methods) {
      const request = new Request(url, { method: method.toUpperCase() })
      if (await getResponse([handler], request)) answered.push(method)
    }
    expect(answered).toEqual([name])
  })

  it.each([...methods, 'propfind'])('http.all answers %s', async (name) => {
    expect(await getResponse([http.all(url, ok)], new Request(url, { method: name.toUpperCase() }))).toBeDefined()
  })
})

describe('a predicate', () => {
  async function paramsOf(handler: ReturnType<typeof http.get>, request = new Request(url)): Promise<unknown> {
    const response = await getResponse([handler], request)
    return response?.json()
  }

  it('may be a path', async () => {
    expect(await paramsOf(http.get('*/user/:id', ({ params }) => HttpResponse.json(params)))).toEqual({
      0: 'https://app.test',
      id: '5',
    })
    expect(await paramsOf(http.get('*/post/:id', ok))).toBe(undefined)
  })

  it('may be a RegExp', async () => {
    const resolver: Parameters<typeof http.get>[1] = ({ params }) => HttpResponse.json(params)
    expect(await paramsOf(http.get(/\/(user|post)\/(?<id>\d+)$/, resolver))).toEqual({ 0: 'user', 1: '5', id: '5' })
    expect(await paramsOf(http.get(/\/post\//, resolver))).toBe(undefined)
  })

  it.each<[name: string, predicate: Parameters<typeof http.post>[0], params: unknown]>([
    ['true', () => true, {}],
    ['false', () => false, undefined],
    ['true, later', async () => true, {}],
    ['false, later', async () => false, undefined],
    ['a match', () => ({ matches: true }), {}],
    [
      'a match with parameters',
      () => ({ matches: true, params: { id: '5', path: ['a', 'b'] } }),
      { id: '5', path: ['a', 'b'] },
    ],
    ['no match', () => ({ matches: false, params: { id: '5' } }), undefined],
    ['a match, later', async () => ({ matches: true, params: { id: '5' } }), { id: '5' }],
    ['nothing', () => undefined as never, undefined],
    ['null', () => null as never, undefined],
    ['by the URL', ({ request }) => new URL(request.url).pathname === '/user/5', {}],
    ['by the body', async ({ request }) => ((await request.json()) as { a: number }).a === 1, {}],
    ['by the headers', ({ request }) => request.headers.get('X-A') === 'c', undefined],
  ])('may be a function that says %s', async (_name, predicate, params) => {
    const handler = http.post(predicate, (info) => HttpResponse.json(info.params))
    const request = new Request(url, { method: 'POST', body: '{"a":1}', headers: { 'X-A': 'b' } })
    expect(await paramsOf(handler, request)).toEqual(params)
  })

  it('is called only for requests with the method of its handler', async () => {
    const predicate = vi.fn<() => boolean>(() => true)
    expect(await getResponse([http.post(predicate, ok)], new Request(url))).toBe(undefined)
    expect(predicate).not.toHaveBeenCalled()
  })

  it('leaves the body for the resolver', async () => {
    const handler = http.post(
      async ({ request }) => (await request.text()) === 'text',
      async ({ request }) => HttpResponse.json(await request.text()),
    )
    expect(await paramsOf(handler, new Request(url, { method: 'POST', body: 'text' }))).toBe('text')
  })

  it.skipIf(typeof document === 'object')('gets the cookies', async () => {
    const predicate = vi.fn<(args: { cookies: Record<string, string> }) => boolean>(
      ({ cookies }) => cookies['a'] === '1',
    )
    const request = new Request(url, { headers: { Cookie: 'a=1; b=2' } })
    expect(await paramsOf(http.get(predicate, ok), request)).toEqual({})
    expect({ ...predicate.mock.calls[0]?.[0].cookies }).toEqual({ a: '1', b: '2' })
  })
})

describe('info', () => {
  const predicate = (): boolean => true

  it.each([
    [http.get('/user/:id', ok), 'GET /user/:id', 'GET', '/user/:id'],
    [http.all('*', ok), 'ALL *', null, '*'],
    [http.delete(/user/i, ok), 'DELETE /user/i', 'DELETE', /user/i],
    [http.post(predicate, ok), 'POST (predicate)', 'POST', predicate],
  ])('of %o names the handler', ({ info }, header, method, path) => {
    expect(info).toMatchObject({ header, method, path })
  })

  it('returns where the handler was created', () => {
    const line = here()
    const handlers = [http.get('/user', ok), http.all('*', ok)]
    expect(handlers.map(({ info }) => info.callSite?.line)).toEqual([line + 1, line + 1])
    for (const { info } of handlers) expect(info.callSite?.file).toContain('/http/http.test.ts')
  })
})

describe('refuses', () => {
  const get = http.get as (...args: unknown[]) => unknown

  it.each<[args: unknown[], message: string]>([
    [
      [],
      'GET undefined: its first argument is undefined. Pass a path ("/user/:id"), a RegExp or a function that decides about a request.',
    ],
    [[null, ok], 'GET null: its first argument is null. Pass a path'],
    [[{ path: '/user' }, ok], 'GET [object Object]: its first argument is an object with the keys path. Pass a path'],
    [[['/user'], ok], 'GET /user: its first argument is an array. Pass a path'],
    [[new URL(url), ok], `GET ${url}: its first argument is an instance of URL. Pass a path`],
    [
      ['/user'],
      'GET /user: its second argument is undefined. Pass a function that returns a response: () => HttpResponse.json({}).',
    ],
    [['/user', { name: 'Ada' }], 'GET /user: its second argument is an object with the keys name. Pass a function'],
    [
      ['/user', HttpResponse.json({})],
      'GET /user: its second argument is an instance of HttpResponse. Pass a function',
    ],
  ])('http.get of %o', (args, message) => {
    expect(() => get(...args)).toThrow(`Failed to create the handler ${message}`)
  })

  it('an invalid path, when the handler is declared', () => {
    expect(() => http.get('/user/:id(', ok)).toThrow(
      'Failed to read the path "/user/:id(": the parenthesis at "(" is never closed. See the path syntax in the documentation of `http`.',
    )
  })
})

describe('a query or hash in a path', () => {
  it.each<[path: string, search: string, action: string]>([
    ['/search?q=cats', '?q=cats', "write http.get('/search', resolver, { query: { q: 'cats' } })"],
    ['/user/:id?tab=:tab', '?tab=:tab', "write http.get('/user/:id', resolver, { query: { tab: ':tab' } })"],
    ['https://app.test/user#top', '#top', "Write 'https://app.test/user'."],
  ])(
    'in %s: it is ignored, with a warning that names the line and what to write instead',
    async (path, search, action) => {
      const { info } = http.get(path, ok)
      // In a page, the warning is printed after the module.
      await Promise.resolve()
      expect(console.warn).toHaveBeenCalledExactlyOnceWith(
        expect.stringContaining(
          `[understudy] The handler GET ${path} (${info.callSite && place(info.callSite)}) has "${search}" in its path, which is ignored. `,
        ),
      )
      expect(console.warn).toHaveBeenCalledWith(expect.stringContaining(action))
      expect(info.callSite?.file).toContain('/http/http.test.ts')
    },
  )

  it('does not prevent the rest of the path from matching', async () => {
    const handler = http.get('https://app.test/user/:id?tab=posts', ok)
    expect(await getResponse([handler], new Request(`${url}?tab=likes`))).toBeDefined()
  })

  it.each(['/user/:id?', '/user/:id?/edit', '/user{/:id}?'])(
    'causes no warning in %s, because "?" makes a part optional',
    async (path) => {
      http.get(path, ok)
      await Promise.resolve()
      expect(console.warn).not.toHaveBeenCalled()
    },
  )
})
