import { expectTypeOf, test } from 'vitest'

import { delay } from '../core/responses/delay.ts'
import { HttpResponse, type DefaultBodyType } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { GraphQLHandler } from '../graphql/graphql-handler.ts'
import type { GraphQLQuery, GraphQLResponseResolver, GraphQLVariables } from '../graphql/graphql-resolver.ts'
import { graphql } from '../graphql/graphql.ts'
import type { ResponseResolver } from '../msw1/response-resolver.ts'
import type { HttpHandler } from './http-handler.ts'
import type { HttpResponseResolver } from './http-resolver.ts'
import { http } from './http.ts'

interface User {
  id: string
  name: string
}

function withAuth<Params extends PathParams, RequestBody extends DefaultBodyType, ResponseBody extends DefaultBodyType>(
  resolver: HttpResponseResolver<Params, RequestBody, ResponseBody>,
): HttpResponseResolver<Params, RequestBody, ResponseBody> {
  return (info) => {
    if (!info.request.headers.get('Authorization')) return new HttpResponse(null, { status: 401 })
    return resolver(info)
  }
}

function withDelay(milliseconds: number, resolver: HttpResponseResolver): HttpResponseResolver {
  return async (...args) => {
    await delay(milliseconds)
    return resolver(...args)
  }
}

test('a function around a resolver keeps its types', () => {
  const typed: HttpResponseResolver<{ id: string }, User, User> = async ({ request }) =>
    HttpResponse.json(await request.json())
  const ofNoParams: HttpResponseResolver<never, User, User> = async ({ request }) =>
    HttpResponse.json(await request.json())
  const any: ResponseResolver = () => HttpResponse.json({ a: 1 })
  const handlers = [
    http.get(
      '/user',
      withAuth(() => HttpResponse.json({ a: 1 })),
    ),
    http.get(
      '/user/:id',
      withAuth(({ params }) => HttpResponse.json({ id: params['id'] })),
    ),
    http.get<{ id: string }, never, User>(
      '/user/:id',
      withAuth(({ params }) => HttpResponse.json({ id: params.id, name: 'Ada' })),
    ),
    http.get(
      '/user/:id',
      withDelay(
        5,
        withAuth(({ params }) => HttpResponse.json({ id: params['id'] })),
      ),
    ),
    http.post('/user/:id', withAuth(typed)),
    http.post('/user/:id', typed),
    http.post('/user', ofNoParams),
    http.get('/user', any),
  ]
  expectTypeOf(handlers).toEqualTypeOf<HttpHandler[]>()
})

function withSession<Query extends GraphQLQuery, Variables extends GraphQLVariables>(
  resolver: GraphQLResponseResolver<Query, Variables>,
): GraphQLResponseResolver<Query, Variables> {
  return (info) => {
    if (!info.cookies['session']) return HttpResponse.json({ errors: [{ message: 'Sign in' }] })
    return resolver(info)
  }
}

test('GraphQL handlers accept resolvers that were made elsewhere', () => {
  const untyped: GraphQLResponseResolver = ({ variables }) => HttpResponse.json({ data: { id: variables['id'] } })
  const typed: GraphQLResponseResolver<{ user: User }, { id: string }> = ({ variables }) =>
    HttpResponse.json({ data: { user: { id: variables.id, name: 'Ada' } } })
  const handlers = [
    graphql.query('GetUser', untyped),
    graphql.mutation('GetUser', untyped),
    graphql.operation(untyped),
    graphql.link('/graphql').query('GetUser', untyped),
    graphql.query('GetUser', typed),
    graphql.query<{ user: User }, { id: string }>('GetUser', typed),
    graphql.query('GetUser', withSession(untyped)),
    graphql.operation(withSession(untyped)),
    graphql.query(
      'GetUser',
      withSession(({ variables }) => HttpResponse.json({ data: { id: variables['id'] } })),
    ),
    graphql.query<{ user: User }, { id: string }>(
      'GetUser',
      withSession(({ variables }) => HttpResponse.json({ data: { user: { id: variables.id, name: 'Ada' } } })),
    ),
  ]
  expectTypeOf(handlers).toEqualTypeOf<GraphQLHandler[]>()
  type Resolver = Parameters<typeof graphql.query>[1]
  const resolver: Resolver = ({ variables }) => HttpResponse.json({ data: { id: variables['id'] } })
  graphql.query('GetUser', resolver)
})

test('untyped variables can be read, spread and passed on', () => {
  const save = (user: User): User => user
  graphql.mutation('SaveUser', ({ variables }) => {
    const { id, ...rest } = variables
    const user = save(variables['input'])
    const names: string[] = variables['users'].map((each: User) => each.name)
    return HttpResponse.json({ data: { ...rest, id, names, user: { ...user, ...variables['input'] } } })
  })
  graphql.query('GetUser', ({ variables: { input } }) => HttpResponse.json({ data: { name: input.name, ...input } }))
})

test('excess properties of GraphQL data are errors', () => {
  interface Data {
    user: User
  }
  // @ts-expect-error a user has no age
  graphql.query<Data>('GetUser', () => HttpResponse.json({ data: { user: { id: '1', name: 'Ada', age: 36 } } }))
})
