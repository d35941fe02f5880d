import { describe, expectTypeOf, test } from 'vitest'

import type { DefaultBodyType } from '../core/responses/http-response.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { HttpHandler } from './http-handler.ts'
import { http } from './http.ts'

interface User {
  id: string
  name: string
}
const ada: User = { id: '1', name: 'Ada' }

describe('a handler with a declared response body accepts', () => {
  test('responses without a body', () => {
    const handlers = [
      http.get<PathParams, DefaultBodyType, User>('/user', () => new HttpResponse()),
      http.get<PathParams, DefaultBodyType, User>('/user', () => new HttpResponse(null, { status: 404 })),
      http.get<PathParams, DefaultBodyType, User>('/user', () => new HttpResponse(undefined, { status: 404 })),
      http.get<PathParams, DefaultBodyType, User>('/user', async () => new HttpResponse(null, { status: 404 })),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.text()),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.text(null, { status: 404 })),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.json()),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.html()),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.xml()),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.formData()),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.arrayBuffer()),
      http.get<PathParams, DefaultBodyType, User>('/user', () => HttpResponse.redirect('/login')),
    ]
    expectTypeOf(handlers).toEqualTypeOf<HttpHandler[]>()
  })

  test('a body of unknown type, as `new HttpResponse` makes it', () => {
    http.get<PathParams, DefaultBodyType, User>('/user', () => new HttpResponse('Not found', { status: 404 }))
    const response = new HttpResponse(null, { status: 404 })
    http.get<PathParams, DefaultBodyType, User>('/user', () => response)
  })

  test('several answers of one resolver', () => {
    http.get<{ id: string }, DefaultBodyType, User>('/user/:id', async ({ params }) => {
      if (params.id === '0') return new HttpResponse(null, { status: 404 })
      if (params.id === '1') throw HttpResponse.json({ error: 'no' }, { status: 500 })
      return HttpResponse.json({ id: params.id, name: 'Ada' })
    })
    http.get<never, never, User | { error: string }>('/user', ({ cookies }) =>
      cookies['session'] ? HttpResponse.json(ada) : HttpResponse.json({ error: 'no' }, { status: 401 }),
    )
    http.get<never, never, User>('/user', function* () {
      yield HttpResponse.json(ada)
      yield new HttpResponse()
      return new HttpResponse(null, { status: 404 })
    })
  })

  test('a response that was made elsewhere', () => {
    const makeUser = () => HttpResponse.json({ id: '1', name: 'Ada' })
    http.get<never, never, User>('/user', makeUser)
    http.get<never, never, User>('/user', () => makeUser())
    const makeBroken = () => HttpResponse.json({ id: 1 })
    // @ts-expect-error the body has no name
    http.get<never, never, User>('/user', makeBroken)
  })

  test('each kind of body', () => {
    http.get<never, never, string>('/user', () => HttpResponse.text('Ada'))
    http.get<never, never, 'Ada'>('/user', () => HttpResponse.text('Ada'))
    http.get<never, never, null>('/user', () => HttpResponse.json(null))
    http.get<never, never, undefined>('/user', () => HttpResponse.json())
    http.get<never, never, number>('/user', () => HttpResponse.json(5))
    http.get<never, never, boolean>('/user', () => HttpResponse.json(true))
    http.get<never, never, User[]>('/user', () => HttpResponse.json([ada]))
    http.get<never, never, DefaultBodyType>('/user', () => HttpResponse.text('Ada'))
    http.get<never, never, Record<string, unknown>>('/user', () => HttpResponse.json({ a: 1 }))
    http.get<never, never, ArrayBuffer>('/user', () => HttpResponse.arrayBuffer(new ArrayBuffer(3)))
    http.get<never, never, FormData>('/user', () => HttpResponse.formData(new FormData()))
    http.get<never, never, ReadableStream>('/user', () => new HttpResponse(new ReadableStream()))
    // oxlint-disable-next-line typescript/no-explicit-any -- users write it
    http.get<any, any, any>('/user', () => HttpResponse.json(ada))
  })
})

describe('a handler with a declared response body refuses', () => {
  test('properties that the body does not have', () => {
    // @ts-expect-error a user has no age
    http.get<never, never, User>('/user', () => HttpResponse.json({ id: '1', name: 'Ada', age: 36 }))
    // @ts-expect-error nor has one of a list
    http.get<never, never, User[]>('/user', async () => HttpResponse.json([{ id: '1', name: 'Ada', age: 36 }]))
    // @ts-expect-error a user has no age
    HttpResponse.json<User>({ id: '1', name: 'Ada', age: 36 })
  })

  test('text for an object, and an object for text', () => {
    // @ts-expect-error text is not a user
    http.get<never, never, User>('/user', () => HttpResponse.text('Ada'))
    // @ts-expect-error other text
    http.get<never, never, 'Ada'>('/user', () => HttpResponse.text('Bob'))
    // @ts-expect-error an object is not text
    http.get<never, never, string>('/user', () => HttpResponse.json(ada))
  })
})

describe('a handler without declared types', () => {
  test('may answer with the body of the request', () => {
    http.post('/user', async ({ request }) => HttpResponse.json(await request.json()))
    http.post('/user', async ({ request }) => {
      const body = await request.clone().json()
      expectTypeOf(body).toEqualTypeOf<DefaultBodyType>()
      return HttpResponse.json(body, { status: 201 })
    })
  })

  test('may read parameters by a name that is not literal', () => {
    const name: string = 'id'
    http.get('/user/:id', ({ params }) => HttpResponse.json({ value: params[name] }))
    const base: string = '/:tenant'
    http.get(`${base}/user/:id`, ({ params: { id, tenant } }) => {
      expectTypeOf(id).toEqualTypeOf<string>()
      expectTypeOf(tenant).toEqualTypeOf<string | readonly string[] | undefined>()
    })
  })
})

test('the type of a request body may be the second of two declared types', () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- users write it
  http.post<any, Omit<User, 'id'>>('/user', async ({ request, params }) => {
    const body = await request.json()
    expectTypeOf(body).toEqualTypeOf<Omit<User, 'id'>>()
    expectTypeOf(params).toBeAny()
    return HttpResponse.json({ ...body, id: '1' })
  })
  http.post<PathParams, Omit<User, 'id'>, User>('/user', async ({ request }) => {
    const body = await request.json()
    return HttpResponse.json({ ...body, id: '1' })
  })
})

test('every member of `http` makes handlers', () => {
  const method = 'get' as keyof typeof http
  expectTypeOf(http[method]('/user', () => HttpResponse.json(ada))).toEqualTypeOf<HttpHandler>()
  const handlers = (Object.keys(http) as (keyof typeof http)[]).map((each) =>
    http[each]('/user/:id', ({ params }) => HttpResponse.json({ id: params.id })),
  )
  expectTypeOf(handlers).toEqualTypeOf<HttpHandler[]>()
  type Resolver = Parameters<typeof http.get>[1]
  const resolver: Resolver = ({ params }) => HttpResponse.json({ id: params['id'] })
  http.get('/user/:id', resolver)
})

test('without a declared body, answers may differ', () => {
  const makeUser = () => HttpResponse.json(ada)
  const makeError = () => HttpResponse.json({ error: 'no' }, { status: 500 })
  http.get('/user', ({ cookies }) => (cookies['session'] ? makeUser() : makeError()))
  http.get('/user', () => (Math.random() > 0.5 ? makeUser() : makeError()))
  http.get('/user', () => (Math.random() > 0.5 ? makeUser() : fetch('/error')))
})
