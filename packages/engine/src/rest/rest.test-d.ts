import { describe, expectTypeOf, test } from 'vitest'

import type { DefaultBodyType } from '../core/responses/http-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { ResponseTransformer } from '../msw1/response-composition.ts'
import { rest, type RestHandler, type RestRequest, type RestResolver } from './rest.ts'

interface User {
  name: string
}

declare const handler: RestHandler

describe('req', () => {
  test('params come from the path', () => {
    rest.get('/user/:id/:tab?', (req, res, ctx) => {
      expectTypeOf(req.params).toEqualTypeOf<{ id: string; tab?: string } & PathParams>()
      expectTypeOf(req.url).toEqualTypeOf<URL>()
      expectTypeOf(req.body).toEqualTypeOf<DefaultBodyType>()
      expectTypeOf(req.json<User>()).resolves.toEqualTypeOf<User>()
      expectTypeOf(req.params['name']).toEqualTypeOf<string | readonly string[] | undefined>()
      return res(ctx.status(200))
    })
    rest.get(/user/, (req, res) => {
      expectTypeOf(req.params).toEqualTypeOf<PathParams>()
      return res()
    })
    const base: string = 'https://example.com'
    rest.get(`${base}/user/:id`, (req, res) => {
      expectTypeOf(req.params).toEqualTypeOf<{ id: string } & PathParams>()
      return res()
    })
    rest.get(base, (req, res) => {
      expectTypeOf(req.params).toEqualTypeOf<PathParams>()
      return res()
    })
  })

  test('types are taken from the caller: request body, params, response body', () => {
    rest.post<User, { id: string }, { ok: boolean }>('/user/:id', (req, res, ctx) => {
      expectTypeOf(req.body).toEqualTypeOf<User>()
      expectTypeOf(req.params).toEqualTypeOf<{ id: string }>()
      return res(ctx.status(201), ctx.json({ ok: true }))
    })
    rest.post<string>('/text', (req, res, ctx) => {
      expectTypeOf(req.body).toEqualTypeOf<string>()
      return res(ctx.text(req.body))
    })
  })

  test('types are taken from the resolver', () => {
    const resolver: RestResolver<User, { id: string }, User> = (req, res, ctx) => res(ctx.json(req.body))
    expectTypeOf(rest.post('/user/:id', resolver)).toEqualTypeOf<RestHandler>()
    rest.post('/user/:id', (req: RestRequest<User, { id: string }>, res, ctx) => res(ctx.json(req.body.name)))
  })
})

describe('the response', () => {
  test('its body is checked where its type is given', () => {
    const get = rest.get<never, PathParams, User>
    expectTypeOf(get('/user', (_req, res, ctx) => res(ctx.status(200), ctx.json({ name: 'Ada' })))).toEqualTypeOf(
      handler,
    )
    expectTypeOf(get('/user', () => HttpResponse.json({ name: 'Ada' }))).toEqualTypeOf(handler)
    // @ts-expect-error name is a string
    expectTypeOf(get('/user', (_req, res, ctx) => res(ctx.json({ name: 1 }))))
    // @ts-expect-error a user is not text
    expectTypeOf(get('/user', (_req, res, ctx) => res(ctx.text('Ada'))))
    // @ts-expect-error neither is this
    expectTypeOf(get('/user', () => HttpResponse.json({ name: 1 })))
  })

  test('any body will do where it is not', () => {
    const handlers = [
      rest.get('/user', (_req, res, ctx) => res(ctx.json({ name: 'Ada' }), ctx.set('X', '1'))),
      rest.get('/user', (_req, res, ctx) => res(Math.random() > 1 && ctx.delay(5), ctx.xml('<a/>'))),
      rest.get('/user', () => {}),
      rest.get('/user', async (req, res, ctx) => {
        if (req.bodyUsed) return undefined
        const { name } = await req.json()
        return res.once(ctx.json({ name }))
      }),
      rest.get('/user', function* (_req, res, ctx) {
        yield res(ctx.text('1'))
        return res(ctx.text('2'))
      }),
      rest.get('/user', async (req, res, ctx) => res(ctx.json(await (await ctx.fetch(req)).json()))),
      rest.get('/user', (req) => req.passthrough()),
      rest.get('/user', (_req, res) => res.networkError('no')),
    ]
    expectTypeOf(handlers).toEqualTypeOf<RestHandler[]>()
  })

  test('a transformer of your own that sets no type fits every response', () => {
    const asText: ResponseTransformer = (res) => {
      res.body = 'text'
      res.headers.set('Content-Type', 'text/plain')
      return res
    }
    expectTypeOf(rest.get<never, PathParams, User>('/user', (_req, res) => res(asText))).toEqualTypeOf(handler)
  })

  test('a value that is not a transformer is an error', () => {
    // @ts-expect-error an object is not a transformer
    expectTypeOf(rest.get('/user', (_req, res) => res({ status: 200 })))
    // @ts-expect-error a transformer is not a response
    expectTypeOf(rest.get('/user', (_req, _res, ctx) => ctx.json({})))
    // @ts-expect-error neither is text
    expectTypeOf(rest.get('/user', () => 'text'))
    // @ts-expect-error `data` is for GraphQL
    expectTypeOf(rest.get('/user', (_req, res, ctx) => res(ctx.data({}))))
  })
})

test('a path is text or a RegExp', () => {
  // @ts-expect-error a number is not a path
  expectTypeOf(rest.get(5, () => {}))
  // @ts-expect-error a resolver is needed
  expectTypeOf(rest.get('/user'))
})
