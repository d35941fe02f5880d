import { describe, expect, test, vi } from 'vitest'

import { RequestHandler } from '../core/handlers/custom-handler.ts'
import type { HandlerCall } from '../core/handlers/run-handler.ts'
import { getResponse } from '../core/network/get-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { GraphQLHandler } from '../graphql/graphql-handler.ts'
import { graphql } from '../graphql/graphql.ts'
import { sse } from '../sse/sse.ts'
import { WebSocketHandler } from '../ws/web-socket-handler.ts'
import { ws } from '../ws/ws.ts'
import { HttpHandler } from './http-handler.ts'
import { http } from './http.ts'

const resolutionContext = { baseUrl: 'http://localhost' }
const getUser = (): Request => new Request('http://localhost/user/5', { headers: { Cookie: 'a=1' } })

describe('HttpHandler', () => {
  test('is a constructor, with a method in any case', async () => {
    for (const method of ['get', 'GET', /^(GET|POST)$/, null]) {
      const handler = new HttpHandler(method, '/user/:id', ({ params }: { params: object }) =>
        HttpResponse.json(params),
      )
      const response = await getResponse([handler], getUser(), resolutionContext)
      expect(await response?.json()).toEqual({ id: '5' })
    }
    const post = new HttpHandler(/^POST$/, '/user/:id', () => HttpResponse.json({}))
    expect(await getResponse([post], getUser(), resolutionContext)).toBeUndefined()
  })

  test('is the class of the handlers of http and sse only', () => {
    const made = [http.get('/a', () => undefined), http.all('/a', () => undefined), sse('/a', () => undefined)]
    for (const handler of made) expect(handler).toBeInstanceOf(HttpHandler)
    for (const handler of made) expect(handler).toBeInstanceOf(RequestHandler)
    for (const handler of made) expect(handler).not.toBeInstanceOf(GraphQLHandler)
    for (const value of [
      graphql.query('A', () => undefined),
      {},
      null,
      undefined,
      { info: { method: 'GET', path: '/' } },
    ]) {
      expect(value).not.toBeInstanceOf(HttpHandler)
    }
    class Own extends HttpHandler {}
    expect(new Own('GET', '/a', () => undefined)).toBeInstanceOf(Own)
    expect(made[0]).not.toBeInstanceOf(Own)
  })

  test('is the class of an object that its constructor is still creating', () => {
    // Compiled classes check this first. React Native's Babel preset compiles classes for older versions of Hermes.
    expect(Object.create(HttpHandler.prototype)).toBeInstanceOf(HttpHandler)
    expect(Object.create(GraphQLHandler.prototype)).toBeInstanceOf(GraphQLHandler)
  })

  test('calls the methods of a class that extends it', async () => {
    class Own extends HttpHandler {
      override async parse(args: HandlerCall): Promise<object> {
        const parsed = (await super.parse(args)) as object
        return { ...parsed, role: args.request.headers.get('X-Role') }
      }

      override predicate(args: HandlerCall & { parsedResult: { role?: string } }): Promise<boolean> {
        return args.parsedResult.role === 'admin' ? (super.predicate(args) as Promise<boolean>) : Promise.resolve(false)
      }
    }
    const own = new Own('GET', '/user/:id', ({ params }: { params: object }) => HttpResponse.json(params))
    const admin = (path: string): Request => new Request(`http://localhost${path}`, { headers: { 'X-Role': 'admin' } })
    expect(await getResponse([own], getUser(), resolutionContext)).toBeUndefined()
    expect(await getResponse([own], admin('/other'), resolutionContext)).toBeUndefined()
    expect(await (await getResponse([own], admin('/user/5'), resolutionContext))?.json()).toEqual({ id: '5' })
    expect(await own.test({ request: getUser(), resolutionContext })).toBe(false)
    expect(await own.run({ request: getUser(), resolutionContext })).toBeNull()
    expect(await own.run({ request: admin('/user/5'), resolutionContext })).toMatchObject({ handler: own })
  })

  test('passes additional arguments of a subclass to the resolver', async () => {
    class Own extends HttpHandler {
      protected override extendResolverArgs(
        args: HandlerCall & { parsedResult: { match: { params: object } } },
      ): object {
        return { params: args.parsedResult.match.params, tenant: 'a' }
      }
    }
    const own = new Own('GET', '/user/:id', ({ params, tenant }: { params: object; tenant: string }) =>
      HttpResponse.json({ ...params, tenant }),
    )
    const response = await getResponse([own], getUser(), resolutionContext)
    expect(await response?.json()).toEqual({ id: '5', tenant: 'a' })
  })

  test('calls a predicate that code assigned to a handler', async () => {
    const handler = http.get('/user/:id', () => HttpResponse.text('answered'))
    handler.predicate = () => false
    expect(await getResponse([handler], getUser(), resolutionContext)).toBeUndefined()
  })

  test('reports invalid arguments', () => {
    expect(() => new HttpHandler('GET', 5 as never, () => undefined)).toThrow(/^Failed to create the handler GET 5: /)
    expect(() => new HttpHandler('get', '/a', undefined as never)).toThrow(/^Failed to create the handler GET \/a: /)
  })
})

describe('GraphQLHandler', () => {
  test('is a constructor', async () => {
    const handler = new GraphQLHandler('query', 'GetUser', '*', () => HttpResponse.json({ data: { user: 'Ada' } }))
    expect(handler).toBeInstanceOf(GraphQLHandler)
    const body = JSON.stringify({ query: 'query GetUser { user }' })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    const response = await getResponse([handler], new Request('http://localhost/graphql', init))
    expect(await response?.json()).toEqual({ data: { user: 'Ada' } })
  })

  test('is the class of the handlers of graphql', () => {
    const made = [
      graphql.query('A', () => undefined),
      graphql.operation(() => undefined),
      graphql.subscription('A', () => undefined),
      graphql.schema('type Query { a: Int }'),
    ]
    for (const handler of made) expect(handler).toBeInstanceOf(GraphQLHandler)
    expect(http.get('/a', () => undefined)).not.toBeInstanceOf(GraphQLHandler)
  })
})

test('`http` has its methods in the order of MSW, because users build tables from them', () => {
  expect(Object.keys(http)).toEqual(['all', 'head', 'get', 'post', 'put', 'delete', 'patch', 'options'])
})

test('a resolver is called as a function, without the handler as `this`', async () => {
  const resolver = vi.fn<() => Response>(() => HttpResponse.json({}))
  await getResponse([http.get('/user/:id', resolver)], getUser(), resolutionContext)
  expect(resolver.mock.contexts).toEqual([undefined])
})

describe('a handler that other code calls', () => {
  const handler = http.get('/user/:id', ({ params, cookies }) => HttpResponse.json({ ...params, ...cookies }))

  test('has the parse results and the promises of MSW', async () => {
    const parsedResult = await handler.parse({ request: getUser(), resolutionContext })
    expect(parsedResult).toEqual({ match: { matches: true, params: { id: '5' } }, cookies: { a: '1' } })
    expect(handler.predicate({ request: getUser(), parsedResult })).toBeInstanceOf(Promise)
  })

  test('returns whether it matches', async () => {
    const parsedResult = await handler.parse({ request: getUser(), resolutionContext })
    expect(parsedResult).toMatchObject({ match: { matches: true, params: { id: '5' } }, cookies: { a: '1' } })
    expect(await handler.predicate({ request: getUser(), parsedResult })).toBe(true)
    expect(await handler.test({ request: getUser(), resolutionContext })).toBe(true)
    const other = new Request('http://localhost/other')
    expect(await handler.test({ request: other, resolutionContext })).toBe(false)
    expect(await handler.run({ request: other, resolutionContext })).toBeNull()
  })

  test('runs its resolver', async () => {
    const request = getUser()
    const result = await handler.run({ request, requestId: 'abc', resolutionContext })
    expect(result).toMatchObject({ handler, request, requestId: 'abc' })
    expect(await result?.response?.json()).toEqual({ id: '5', a: '1' })
  })

  test('runs on an insecure origin, which has no `crypto.randomUUID`', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
    try {
      const { requestId } = (await handler.run({ request: getUser(), resolutionContext })) ?? {}
      expect(requestId).toMatch(/^\w{8,}$/)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('runs once if it is a `once` handler', async () => {
    const once = http.get('/user/:id', () => HttpResponse.text('once'), { once: true })
    expect((await once.run({ request: getUser(), resolutionContext }))?.response?.status).toBe(200)
    expect(await once.run({ request: getUser(), resolutionContext })).toBeNull()
  })

  test('rejects with the error of its resolver, and returns a thrown response', async () => {
    const failing = http.get('/user/:id', () => {
      throw new Error('no')
    })
    await expect(failing.run({ request: getUser(), resolutionContext })).rejects.toThrow('no')
    const thrown = http.get('/user/:id', () => {
      throw new HttpResponse(null, { status: 401 })
    })
    expect((await thrown.run({ request: getUser(), resolutionContext }))?.response?.status).toBe(401)
  })

  test('handles a WebSocket connection of other code', async () => {
    const urls: string[] = []
    const link = ws.link('ws://localhost/chat/:room')
    const connected = link.addEventListener('connection', ({ params }) => urls.push(params.room))
    expect(connected.test('ws://localhost/chat/a')).toBe(true)
    expect(connected.test('ws://localhost/other')).toBe(false)
    const end = (url: string) => ({ id: url, url: new URL(url), send() {}, close() {}, addEventListener() {} })
    await connected.run({ client: end('ws://localhost/chat/a'), server: {}, info: { protocols: [] } })
    expect(await connected.run({ client: end('ws://localhost/other'), server: {}, info: {} })).toBeNull()
    expect(urls).toEqual(['a'])
  })
})

test('WebSocketHandler throws if users construct it with a URL', () => {
  expect(() => new WebSocketHandler('wss://chat.example.com' as never)).toThrow(
    'Failed to create a WebSocket handler: its definition is the string "wss://chat.example.com". ' +
      "Call ws.link('wss://…').addEventListener('connection', listener).",
  )
})

test('a RegExp of methods with the flag g matches each request', async () => {
  const handler = new HttpHandler(/GET|POST/g, 'https://app.test/user', () => HttpResponse.text('answer'))
  for (let request = 0; request < 3; request += 1) {
    expect(await (await getResponse([handler], new Request('https://app.test/user')))?.text()).toBe('answer')
  }
})
