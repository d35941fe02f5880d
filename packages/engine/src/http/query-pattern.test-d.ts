import { expectTypeOf, test } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import type { PathParams } from '../core/routing/path-params.ts'
import type { HttpHandler } from './http-handler.ts'
import { http } from './http.ts'
import type { QueryParamsOf, QueryPattern } from './query-pattern.ts'

test('parameters of the query join those of the path', () => {
  http.get(
    '/user/:id',
    ({ params }) => {
      expectTypeOf(params).branded.toEqualTypeOf<
        { id: string; term: string; tab?: string; tags: string[]; ids?: string[]; page: string } & PathParams
      >()
      expectTypeOf(params['q']).toEqualTypeOf<string | readonly string[] | undefined>()
      return HttpResponse.json(params)
    },
    {
      query: { q: ':term', tab: ':tab?', tag: ':tags+', id: ':ids*', page: ':page(\\d+)', sort: 'a:b', n: 1, x: null },
    },
  )
})

test('without a query, they are those of the path', () => {
  http.get('/user/:id', ({ params }) => expectTypeOf(params).toEqualTypeOf<{ id: string } & PathParams>() as never, {
    once: true,
  })
  http.get('/user/:id', ({ params }) => expectTypeOf(params).toEqualTypeOf<{ id: string } & PathParams>() as never)
})

test('a query that is not literal has parameters of unknown names', () => {
  expectTypeOf<QueryParamsOf<QueryPattern>>().toEqualTypeOf<unknown>()
})

test('explicit types name the parameters themselves', () => {
  const handler = http.get<{ term: string }, never, { term: string }>(
    '/search',
    ({ params }) => HttpResponse.json({ term: params.term }),
    { query: { q: ':term' } },
  )
  expectTypeOf(handler).toEqualTypeOf<HttpHandler>()
})

test('an invalid query is an error', () => {
  // @ts-expect-error text
  expectTypeOf(http.get('/search', () => {}, { query: 'q=:term' }))
  // @ts-expect-error an object for a value
  expectTypeOf(http.get('/search', () => {}, { query: { q: {} } }))
  // @ts-expect-error no such option
  expectTypeOf(http.get('/search', () => {}, { search: { q: ':term' } }))
})
