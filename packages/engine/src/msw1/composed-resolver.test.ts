import { describe, expect, test, vi } from 'vitest'

import type { ResolverInfo } from '../core/handlers/request-handler.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { createComposedResolver, type AnyComposedResolver } from './composed-resolver.ts'
import { context, graphqlContext } from './contexts.ts'
import type { MockedRequest } from './mocked-request.ts'
import { compose, createResponseComposition, type ResponseComposition } from './response-composition.ts'

/** Calls a resolver like a protocol. */
async function answer(resolver: AnyComposedResolver, init?: RequestInit): Promise<Response> {
  const handler = http.get('/x', () => {})
  const composed = createComposedResolver(resolver, graphqlContext, () => handler)
  return (await composed(createInfo(init))) as Response
}

function createInfo(init?: RequestInit): ResolverInfo {
  const request = new Request('https://example.com/x', init)
  const info = { request, requestId: 'id', url: new URL(request.url), cookies: { a: '1' }, finalize: () => {} }
  return Object.assign(info, { operationName: 'GetUser', variables: { id: '5' } })
}

type Resolver = (
  req: MockedRequest & { variables: object; operationName: string },
  res: ResponseComposition,
  ctx: typeof graphqlContext,
) => unknown

describe('the form of a resolver', () => {
  test("(req, res, ctx): req has the protocol's arguments", async () => {
    const resolver: Resolver = (req, res, ctx) =>
      res(ctx.data({ ...req.variables, name: req.operationName, a: req.cookies['a'], host: req.url.host, id: req.id }))
    expect(await (await answer(resolver)).json()).toEqual({
      data: { id: 'id', name: 'GetUser', a: '1', host: 'example.com' },
    })
  })

  test("(info): only the protocol's arguments", async () => {
    const resolver = vi.fn<(...args: unknown[]) => Response>(() => HttpResponse.text('now'))
    Object.defineProperty(resolver, 'length', { value: 1 })
    expect(await (await answer(resolver)).text()).toBe('now')
    expect(resolver.mock.calls[0]).toHaveLength(1)
  })

  test('(info, options = {}): the second parameter keeps its default value', async () => {
    const resolver = ({ variables }: { variables: object }, options: object = { isDefault: true }) =>
      HttpResponse.json({ ...variables, ...options })
    expect(await (await answer(resolver)).json()).toEqual({ id: '5', isDefault: true })
  })

  test('(info): the body can be read', async () => {
    const resolver = async ({ request }: { request: Request }) => HttpResponse.json([await request.json()])
    const init = { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } }
    expect(await (await answer(resolver, init)).json()).toEqual([{ a: 1 }])
    const withRest = async (...[{ request }]: [{ request: Request }]) => HttpResponse.json([await request.json()])
    expect(await (await answer(withRest, init)).json()).toEqual([{ a: 1 }])
  })

  test('(...args): a wrapper passes all three on', async () => {
    const inner: Resolver = (req, res, ctx) => res(ctx.status(201), ctx.data(req.variables))
    const wrapper = (...args: Parameters<Resolver>) => inner(...args)
    expect((await answer(wrapper)).status).toBe(201)
  })

  test('(req): undefined, or passthrough', async () => {
    expect(await answer(() => undefined)).toBe(undefined)
    const resolver = (req: MockedRequest) => req.passthrough()
    expect((await answer(resolver)).statusText).toBe('Passthrough')
  })
})

describe('ctx of GraphQL handlers', () => {
  test('data, errors, extensions and a custom field, in one body', async () => {
    const resolver: Resolver = (_req, res, ctx) =>
      res(
        ctx.data({ user: { name: 'Ada' } }),
        ctx.errors([{ message: 'Half of it failed', path: ['user', 'age'] }]),
        ctx.extensions({ tracing: { version: 1 } }),
        ctx.field('cost', 5),
        ctx.status(207),
        ctx.set('X-Test', '1'),
        ctx.cookie('a', '1'),
      )
    const response = await answer(resolver)
    expect(response.status).toBe(207)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-test')).toBe('1')
    expect(await response.json()).toEqual({
      data: { user: { name: 'Ada' } },
      errors: [{ message: 'Half of it failed', path: ['user', 'age'] }],
      extensions: { tracing: { version: 1 } },
      cost: 5,
    })
  })

  test('repeated calls add to the body, and the first one in the list has precedence', async () => {
    const resolver: Resolver = (_req, res, ctx) =>
      res(
        ctx.data({ user: { name: 'Ada' }, tags: ['b'] }),
        ctx.data({ user: { name: 'Grace', age: 36 }, tags: ['a'] }),
        ctx.errors([{ message: '2' }]),
        ctx.errors([{ message: '1' }]),
      )
    expect(await (await answer(resolver)).json()).toEqual({
      data: { user: { name: 'Ada', age: 36 }, tags: ['a', 'b'] },
      errors: [{ message: '1' }, { message: '2' }],
    })
  })

  test('without errors, the body has no member for them', async () => {
    const resolver: Resolver = (_req, res, ctx) => res(ctx.data({ a: 1 }), ctx.errors(null), ctx.errors(undefined))
    expect(await (await answer(resolver)).json()).toEqual({ data: { a: 1 } })
  })

  test('a name from a request reaches no prototype', async () => {
    const payload = JSON.parse('{"__proto__":{"polluted":true}}') as object
    const resolver: Resolver = (_req, res, ctx) => res(ctx.data(payload), ctx.data({ a: 1 }))
    expect(await (await answer(resolver)).text()).toBe('{"data":{"a":1,"__proto__":{"polluted":true}}}')
    expect('polluted' in {}).toBe(false)
  })

  test.each([
    ['', 'its name is empty'],
    ['data', '"data" is a standard field of every response. Use ctx.data(…).'],
    ['errors', '"errors" is a standard field of every response. Use ctx.errors(…).'],
  ])('no field is named "%s"', (name, message) => {
    expect(() => graphqlContext.field(name, 1)).toThrow(message)
  })
})

describe('custom compositions', () => {
  test('createResponseComposition: defaults that the call may change', async () => {
    const notFound = createResponseComposition({ status: 404 }, [context.set('X-Default', '1'), context.text('gone')])
    const resolver: Resolver = () => notFound(context.set('X-Added', '2'))
    const response = await answer(resolver)
    expect([response.status, response.statusText, await response.text()]).toEqual([404, 'Not Found', 'gone'])
    expect([response.headers.get('x-default'), response.headers.get('x-added')]).toEqual(['1', '2'])
  })

  test('compose: one transformer of several, the last first', async () => {
    const failed = (status: number) =>
      compose(context.status(status), context.json({ failed: status }), context.text('x'))
    const resolver: Resolver = (_req, res) => res(failed(503))
    const response = await answer(resolver)
    expect([response.status, await response.json()]).toEqual([503, { failed: 503 }])
  })
})
