import { expectTypeOf, test } from 'vitest'

import type { StrictRequest } from '../core/handlers/request-handler.ts'
import { HttpResponse, type DefaultBodyType } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { HttpHandler } from './http-handler.ts'
import type { HttpResponseResolver } from './http-resolver.ts'
import { http } from './http.ts'

interface User {
  name: string
}

test('parameters are those of the literal path', () => {
  http.get('https://example.com:8080/:kind/:id?', ({ params }) => {
    expectTypeOf(params).toEqualTypeOf<{ kind: string; id?: string } & PathParams>()
    // A path may begin with a variable, whose parameters the type does not show.
    expectTypeOf(params['name']).toEqualTypeOf<string | readonly string[] | undefined>()
  })
  const base: string = 'https://example.com'
  http.get(`${base}/user/:id`, ({ params }) => expectTypeOf(params.id).toEqualTypeOf<string>() as never)
})

test('parameters of other predicates may be any', () => {
  const path: string = '/user/:id'
  http.get(path, ({ params }) => expectTypeOf(params).toEqualTypeOf<PathParams>() as never)
  http.get(/user/, ({ params }) => expectTypeOf(params).toEqualTypeOf<PathParams>() as never)
  http.get(
    () => true,
    ({ params }) => expectTypeOf(params).toEqualTypeOf<PathParams>() as never,
  )
})

test('parameters of a function are those that it returns', () => {
  http.get(
    () => ({ matches: true, params: { id: '5' } }),
    ({ params }) => expectTypeOf(params.id).toEqualTypeOf<string>() as never,
  )
})

test('the arguments of a resolver', () => {
  http.post('/user', ({ request, requestId, url, cookies, finalize }) => {
    expectTypeOf(request).toEqualTypeOf<StrictRequest<DefaultBodyType>>()
    expectTypeOf(requestId).toEqualTypeOf<string>()
    expectTypeOf(url).toEqualTypeOf<URL>()
    expectTypeOf(cookies).toEqualTypeOf<Record<string, string>>()
    expectTypeOf(finalize).parameter(0).toEqualTypeOf<() => unknown>()
  })
})

test('what a resolver may answer with', () => {
  const handlers = [
    http.get('/user', () => {}),
    http.get('/user', () => undefined),
    http.get('/user', async () => {}),
    http.get('/user', () => new Response()),
    http.get('/user', () => Response.json({})),
    http.get('/user', () => Response.error()),
    http.get('/user', () => HttpResponse.json({ name: 'Ada' })),
    http.get('/user', async () => HttpResponse.text('Ada')),
    http.get('/user', () => HttpResponse.error()),
    http.get('/user', () => passthrough()),
    http.get('/user', () => fetch('https://example.com')),
    http.get('/user', () => Promise.reject(new Error('no'))),
    http.get('/user', () => {
      throw new HttpResponse(null, { status: 401 })
    }),
    http.get('/user', ({ params }) => (params ? HttpResponse.json({ a: 1 }) : HttpResponse.json([1]))),
    http.get('/user', function* () {
      yield HttpResponse.json({ a: 1 })
      yield
      yield Promise.resolve(new Response())
      return HttpResponse.json({ a: 2 })
    }),
    http.get('/user', async function* () {
      yield HttpResponse.json({ a: 1 })
    }),
    http.get('/user', async () =>
      (function* () {
        yield HttpResponse.json({ a: 1 })
      })(),
    ),
  ]
  expectTypeOf(handlers).toEqualTypeOf<HttpHandler[]>()

  // @ts-expect-error a string is not a response
  http.get('/user', () => 'Ada')
  // @ts-expect-error nor is an object
  http.get('/user', () => ({ name: 'Ada' }))
  // @ts-expect-error nor is what a generator yields here
  http.get('/user', function* () {
    yield 'Ada'
  })
  // @ts-expect-error a resolver is missing
  http.get('/user')
  // @ts-expect-error no such option
  http.get('/user', () => {}, { twice: true })
  // @ts-expect-error no such method
  http.fetch('/user', () => {})
})

test('types may be given', () => {
  http.put<{ id: string }, { age: number }, User>('/user/:id', async ({ params, request }) => {
    expectTypeOf(params).toEqualTypeOf<{ id: string }>()
    const body = await request.json()
    expectTypeOf(body).toEqualTypeOf<{ age: number }>()
    expectTypeOf(await request.clone().json()).toEqualTypeOf<{ age: number }>()
    return HttpResponse.json({ name: params.id })
  })
  http.get<never, never, User>('/user', () => HttpResponse.json({ name: 'Ada' }))
  http.get<PathParams, never, User[]>(/user/, () => HttpResponse.json([{ name: 'Ada' }]))
  http.get<PathParams<'id' | 'name'>>('/user/:id', ({ params }) => {
    expectTypeOf(params.id).toEqualTypeOf<string | readonly string[] | undefined>()
  })
})

test('a response body that does not fit is an error', () => {
  // @ts-expect-error a number for text
  expectTypeOf(http.get<never, never, User>('/user', () => HttpResponse.json({ name: 5 })))
  // @ts-expect-error a member is missing
  expectTypeOf(http.get<never, never, User>('/user', () => HttpResponse.json({})))
  // @ts-expect-error a list for one of it
  expectTypeOf(http.get<never, never, User>('/user', async () => HttpResponse.json([{ name: 'Ada' }])))
  // @ts-expect-error text for JSON
  expectTypeOf(http.get<never, never, User>('/user', () => HttpResponse.text('Ada')))
  // @ts-expect-error JSON for text
  expectTypeOf(http.get<never, never, string>('/user', () => HttpResponse.json({ name: 'Ada' })))
  // @ts-expect-error no response
  expectTypeOf(http.get<never, never, User>('/user', () => ({ name: 'Ada' })))
  const generate = function* (): Generator<HttpResponse<{ name: number }>> {
    yield HttpResponse.json({ name: 5 })
  }
  // @ts-expect-error a generator that yields what does not fit
  expectTypeOf(http.get<never, never, User>('/user', generate))
})

test('responses of unknown, or no body, fit every body', () => {
  const handlers = [
    http.get<never, never, User>('/user', () => new Response('Ada')),
    http.get<never, never, User>('/user', () => new HttpResponse(null, { status: 404 })),
    http.get<never, never, User>('/user', () => HttpResponse.error()),
    http.get<never, never, User>('/user', () => HttpResponse.redirect('/login')),
    http.get<never, never, User>('/user', () => passthrough()),
    http.get<never, never, User>('/user', () => fetch('https://example.com')),
    http.get<never, never, User>('/user', () => {}),
    http.get<{ id: string }, never, User>('/user/:id', ({ params }) => {
      if (params.id === '1') return new HttpResponse(null, { status: 404 })
      if (params.id === '2') throw HttpResponse.json({ error: 'no' })
      if (params.id === '3') return
      return HttpResponse.json({ name: 'Ada' })
    }),
    http.get<never, never, User | { error: string }>('/user', ({ cookies }) =>
      cookies['a'] ? HttpResponse.json({ name: 'Ada' }) : HttpResponse.json({ error: 'no' }, { status: 401 }),
    ),
    http.get<never, never, User>('/user', async function* () {
      yield HttpResponse.json({ name: 'Ada' })
      return new HttpResponse(null, { status: 404 })
    }),
  ]
  expectTypeOf(handlers).toEqualTypeOf<HttpHandler[]>()
})

test('a resolver may be declared separately', () => {
  const any: HttpResponseResolver = ({ params }) => HttpResponse.json(params)
  const typed: HttpResponseResolver<{ id: string }, { age: number }, User> = async ({ params, request }) => {
    await request.json()
    return HttpResponse.json({ name: params.id })
  }
  expectTypeOf([http.get('/user/:id', any), http.all('*', any), http.post('/user/:id', typed)]).toEqualTypeOf<
    HttpHandler[]
  >()
})

test('HttpResponse knows its body', () => {
  expectTypeOf(HttpResponse.json({ name: 'Ada' })).toEqualTypeOf<HttpResponse<{ name: string }>>()
  expectTypeOf(HttpResponse.json<User>({ name: 'Ada' })).toEqualTypeOf<HttpResponse<User>>()
  expectTypeOf(HttpResponse.json()).toExtend<Response>()
  expectTypeOf(HttpResponse.text('Ada')).toEqualTypeOf<HttpResponse<string>>()
  expectTypeOf(HttpResponse.formData(new FormData())).toEqualTypeOf<HttpResponse<FormData>>()
  expectTypeOf(HttpResponse.arrayBuffer(new Uint8Array())).toExtend<Response>()
  expectTypeOf(HttpResponse.json({ name: 'Ada' }).clone()).toEqualTypeOf<HttpResponse<{ name: string }>>()
  // @ts-expect-error the given type does not fit
  HttpResponse.json<User>({ name: 5 })
  // @ts-expect-error text is
  HttpResponse.text({ name: 'Ada' })
  // @ts-expect-error an object is not a body of a response
  new HttpResponse({ name: 'Ada' })
})
