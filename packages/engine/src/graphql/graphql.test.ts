import { gql } from '@apollo/client'
import { parse } from 'graphql'
import { describe, expect, test, vi } from 'vitest'

import { getResponse } from '../core/network/get-response.ts'
import { delay } from '../core/responses/delay.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { http } from '../http/http.ts'
import { graphql } from './graphql.ts'
import type { GraphQLCustomPredicate } from './operation-predicate.ts'
import { ask, endpoint, get, post } from './testing/graphql-request.ts'

const hello = { data: { hello: 'world' } }
const answer = () => HttpResponse.json(hello)

describe('predicates', () => {
  test('a name matches operations of its type and that name', async () => {
    const handler = graphql.query('GetUser', answer)
    expect(await ask(handler, post('query GetUser { user }'))).toEqual(hello)
    expect(await ask(handler, post('query GetUsers { user }'))).toBeUndefined()
    expect(await ask(handler, post('mutation GetUser { user }'))).toBeUndefined()
    expect(await ask(handler, post('subscription GetUser { user }'))).toBeUndefined()
  })

  test('a RegExp with the flag "g" is tested from the start of the name for each request', async () => {
    const handler = graphql.mutation(/^Create/g, answer)
    for (let round = 0; round < 3; round += 1) {
      expect(await ask(handler, post('mutation CreateUser { user }'))).toEqual(hello)
    }
    expect(await ask(handler, post('mutation DeleteUser { user }'))).toBeUndefined()
  })

  class TypedDocumentString extends String {
    __apiType?: (variables: { id: string }) => { user: string }
  }

  test.each([
    ['a DocumentNode', parse('query GetUser($id: ID!) { user(id: $id) }')],
    [
      'what gql makes',
      gql`
        query GetUser($id: ID!) {
          user(id: $id)
        }
      `,
    ],
    ['a typed document string', new TypedDocumentString('query GetUser($id: ID!) { user(id: $id) }')],
    ['the text of a document', 'query GetUser($id: ID!) { user(id: $id) }'],
    ['a document whose fragment comes first', parse('fragment F on User { id } query GetUser { user { ...F } }')],
    ['the first of its type, of several', parse('mutation Login { a } query GetUser { b }')],
  ])('%s stands for the name of its operation', async (_title, document) => {
    const handler = graphql.query(document as string, answer)
    expect(handler.info.header).toBe('query GetUser')
    expect(await ask(handler, post('query GetUser { other }'))).toEqual(hello)
    expect(await ask(handler, post('query GetUsers { other }'))).toBeUndefined()
  })

  test('a function decides by its arguments', async () => {
    const predicate = vi.fn<GraphQLCustomPredicate>(({ variables }) => variables['id'] === 5)
    const handler = graphql.query(predicate, answer)
    const query = 'query GetUser($id: ID!) { user(id: $id) }'
    expect(await ask(handler, post({ query, variables: { id: 5 } }, { Cookie: 'a=1' }))).toEqual(hello)
    expect(await ask(handler, post({ query, variables: { id: 6 } }))).toBeUndefined()
    expect(predicate.mock.calls[0]).toEqual([
      expect.objectContaining({ query, operationType: 'query', operationName: 'GetUser', variables: { id: 5 } }),
    ])
    expect(predicate.mock.calls[0]?.[0]).toHaveProperty('request.url', endpoint)
    expect(predicate.mock.calls[0]?.[0]).toHaveProperty('cookies')
  })

  test("a function may be asynchronous, return MSW's result, and get anonymous operations", async () => {
    const handler = graphql.query(async ({ query }) => {
      await delay(1)
      return { matches: query.includes('wanted') }
    }, answer)
    expect(await ask(handler, post('{ wanted }'))).toEqual(hello)
    expect(await ask(handler, post('{ other }'))).toBeUndefined()
  })

  test('operation() matches any', async () => {
    const handler = graphql.operation(({ operationType, operationName }) =>
      HttpResponse.json({ data: { is: `${operationType} ${operationName}` } }),
    )
    expect(await ask(handler, post('query A { a }'))).toEqual({ data: { is: 'query A' } })
    expect(await ask(handler, post('mutation { a }'))).toEqual({ data: { is: 'mutation ' } })
    expect(await ask(handler, post({ query: '{ a }' }))).toEqual({ data: { is: 'query ' } })
  })

  test.each([
    [undefined, "its first argument is undefined. Pass the query's name"],
    ['', 'its first argument is the string ""'],
    [{ kind: 'Field' }, 'its first argument is an object with the keys kind'],
    ['query {', 'its document is malformed: expected a name, found the end at line 1, column 8'],
    [parse('{ user }'), 'the query of its document has no name. Name it (query GetUser { … })'],
    [parse('mutation Login { a }'), 'its document defines no query. Use graphql.mutation() for it.'],
    [parse('fragment F on User { id }'), 'its document defines no query. Pass a document that defines one.'],
  ])('bad ones get a clear error: %#', (predicate, message) => {
    expect(() => graphql.query(predicate as string, answer)).toThrow(message)
  })

  test('a missing resolver gets a clear error', () => {
    expect(() => graphql.query('GetUser', undefined as never)).toThrow(
      'Failed to create the handler query GetUser: its resolver is undefined. Pass a function',
    )
    expect(() => graphql.operation('GetUser' as never)).toThrow('create the handler operation')
    expect(() => graphql.subscription('OnEvent', {} as never)).toThrow('create the handler subscription OnEvent')
  })
})

describe('the resolver', () => {
  test('gets the operation and the request', async () => {
    const resolver = vi.fn<(info: object) => Response>(() => HttpResponse.json({ data: {} }))
    const query = 'query GetUser($id: ID!) { user(id: $id) }'
    const body = { query, variables: { id: '5' }, operationName: 'GetUser', extensions: { trace: 1 } }
    await ask(
      graphql.link('https://:host.example.com/graphql').query('GetUser', (info) => resolver(info)),
      post(body),
    )
    const info = resolver.mock.calls[0]?.[0] as { request: Request; finalize: unknown; params: object }
    expect(info).toMatchObject({
      query,
      variables: { id: '5' },
      operationType: 'query',
      operationName: 'GetUser',
      extensions: { trace: 1 },
      cookies: {},
      url: new URL(endpoint),
    })
    expect({ ...info.params }).toEqual({ host: 'api' })
    expect(info).toHaveProperty('requestId', expect.any(String))
    expect(info.finalize).toBeTypeOf('function')
    expect(await info.request.json()).toEqual(body)
  })

  test('may leave the operation to the next handler, throw a response, or let the request pass', async () => {
    const log: string[] = []
    const handlers = [
      graphql.query('A', () => void log.push('first')),
      graphql.query('A', answer),
      graphql.query('B', () => {
        throw HttpResponse.json({ errors: [{ message: 'no' }] }, { status: 401 })
      }),
      graphql.query('C', () => passthrough()),
    ]
    expect(await ask(handlers, post('query A { a }'))).toEqual(hello)
    expect(log).toEqual(['first'])
    expect((await getResponse(handlers, post('query B { a }')))?.status).toBe(401)
    expect(await getResponse(handlers, post('query C { a }'))).toBeUndefined()
  })

  test('may be a generator, and answer once', async () => {
    const steps = graphql.query('A', function* () {
      yield HttpResponse.json({ data: { step: 1 } })
      yield HttpResponse.json({ data: { step: 2 } })
    })
    const once = graphql.query('B', answer, { once: true })
    const handlers = [steps, once]
    const seen = []
    for (let round = 0; round < 3; round += 1) seen.push(await ask(handlers, post('query A { a }')))
    expect(seen).toEqual([1, 2, 2].map((step) => ({ data: { step } })))
    expect(await ask(handlers, post('query B { a }'))).toEqual(hello)
    expect(await ask(handlers, post('query B { a }'))).toBeUndefined()
  })

  test("may be MSW 1's", async () => {
    const handlers = [
      graphql.query('GetUser', (req, res, ctx) =>
        res(ctx.status(201), ctx.data({ id: req.variables['id'] }), ctx.extensions({ took: 1 })),
      ),
      graphql.mutation('Login', (_req, res, ctx) => res.once(ctx.errors([{ message: 'wrong' }]))),
    ]
    const response = await getResponse(handlers, post({ query: 'query GetUser { a }', variables: { id: 5 } }))
    expect(response?.status).toBe(201)
    expect(await response?.json()).toEqual({ data: { id: 5 }, extensions: { took: 1 } })
    expect(await ask(handlers, post('mutation Login { a }'))).toEqual({ errors: [{ message: 'wrong' }] })
    expect(await ask(handlers, post('mutation Login { a }'))).toBeUndefined()
  })
})

describe('order', () => {
  test('also applies among handlers with names, RegExps and paths', async () => {
    const named = (name: string) => graphql.query('A', () => HttpResponse.json({ data: { name } }))
    const before = http.post(endpoint, () => HttpResponse.json({ data: { name: 'http' } }))
    const expression = graphql.query(/A/, () => HttpResponse.json({ data: { name: 'expression' } }))
    const request = () => post('query A { a }')
    expect(await ask([named('first'), named('second'), before, expression], request())).toEqual({
      data: { name: 'first' },
    })
    expect(await ask([before, named('first')], request())).toEqual({ data: { name: 'http' } })
    expect(await ask([expression, named('first')], request())).toEqual({ data: { name: 'expression' } })
    const leaves = graphql.query('A', () => undefined)
    expect(await ask([leaves, expression, named('last')], request())).toEqual({ data: { name: 'expression' } })
    expect(await ask([leaves, before, named('last')], request())).toEqual({ data: { name: 'http' } })
    expect(await ask([leaves, named('second'), expression], request())).toEqual({ data: { name: 'second' } })
  })
})

describe('endpoints', () => {
  test('a link answers only at its URL', async () => {
    const api = graphql.link(endpoint)
    const handlers = [api.query('GetUser', answer), api.mutation(/./, answer)]
    expect(await ask(handlers, post('query GetUser { a }'))).toEqual(hello)
    expect(await ask(handlers, post('mutation Login { a }'))).toEqual(hello)
    expect(await ask(handlers, post('query GetUser { a }', {}, 'https://other.example.com/graphql'))).toBeUndefined()
    expect(await ask(handlers, post('query GetUser { a }', {}, 'https://api.example.com/graph'))).toBeUndefined()
  })

  test.each(['*/graphql', '/graphql', /\/graphql$/, 'wss://api.example.com/graphql', /^wss:\/\/api/])(
    '%s is one',
    async (path) => {
      const handler = graphql.link(path).operation(answer)
      const options = { baseUrl: 'https://api.example.com' }
      const inside = await getResponse([handler], post('{ a }'), options)
      const outside = await getResponse([handler], post('{ a }', {}, 'https://other.example.com/rest'), options)
      expect([inside?.status, outside?.status]).toEqual([200, undefined])
    },
  )

  test('one that is not a URL gets a clear error', () => {
    expect(() => graphql.link(5 as never)).toThrow(
      'Failed to link a GraphQL endpoint: its first argument is the number 5',
    )
  })

  test('handlers name their endpoint, and where they were written', () => {
    const { info } = graphql.link(endpoint).query('GetUser', answer)
    expect(info).toMatchObject({
      header: `query GetUser (${endpoint})`,
      operationType: 'query',
      operationName: 'GetUser',
      url: endpoint,
    })
    expect(info.callSite?.file).toContain('graphql.test.ts')
  })

  test('an invalid path is reported when the endpoint is linked, and not at the first request', () => {
    expect(() => graphql.link('/graphql/(')).toThrow('Failed to read the path "/graphql/("')
  })
})

describe('a request that is not a GraphQL request is not read', () => {
  const handlers = [graphql.operation(answer), graphql.query('GetUser', answer)]

  test.each([
    ['a GET without a query', () => new Request(endpoint)],
    ['a search', () => get({ query: 'cats' })],
    ['a search by POST', () => post({ query: 'cats' })],
    ['a query that is an object', () => post({ query: { match: { all: '{}' } } })],
    ['an array of other things', () => post([1, { query: '{ a }' }])],
    ['an empty array', () => post([])],
    ['malformed JSON', () => new Request(endpoint, { method: 'POST', body: '{"query": "{ a' })],
    ['a form', () => new Request(endpoint, { method: 'POST', body: new FormData() })],
    [
      'bytes',
      () => new Request(endpoint, { method: 'POST', body: new Blob(['{"query":"{a}"}'], { type: 'image/png' }) }),
    ],
    ['no body', () => new Request(endpoint, { method: 'POST' })],
    ['another method', () => new Request(endpoint, { method: 'PATCH', body: '{"query":"{ a }"}' })],
  ])('%s', async (_title, request) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    expect(await getResponse(handlers, request())).toBeUndefined()
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})
