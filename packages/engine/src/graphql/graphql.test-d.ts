import type { TypedDocumentNode } from '@apollo/client'
import { buildSchema, parse, type DocumentNode, type TypedQueryDocumentNode } from 'graphql'
import { describe, expectTypeOf, test } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import type { GraphQLHandler } from './graphql-handler.ts'
import type { GraphQLMockedRequest } from './graphql-resolver.ts'
import { graphql } from './graphql.ts'

interface User {
  id: string
  name: string
}
interface GetUserQuery {
  user: User | null
}
interface GetUserQueryVariables {
  id: string
}

/** What GraphQL Code Generator emits in its string mode. */
declare class TypedDocumentString<Result, Variables> extends String {
  __apiType?: (variables: Variables) => Result
  __meta__?: Record<string, unknown> | undefined
}

declare const node: TypedDocumentNode<GetUserQuery, GetUserQueryVariables>
declare const official: TypedQueryDocumentNode<GetUserQuery, GetUserQueryVariables>
declare const text: TypedDocumentString<GetUserQuery, GetUserQueryVariables>
declare const untyped: DocumentNode

const ada = { id: '1', name: 'Ada' }

describe('types flow from typed documents', () => {
  test('to variables and data', () => {
    graphql.query(node, ({ variables }) => {
      expectTypeOf(variables).toEqualTypeOf<GetUserQueryVariables>()
      return HttpResponse.json({ data: { user: ada } })
    })
    graphql.query(official, ({ variables }) => {
      expectTypeOf(variables).toEqualTypeOf<GetUserQueryVariables>()
      return HttpResponse.json({ data: { user: null } })
    })
    graphql.link('/graphql').mutation(text, async ({ variables }) => {
      expectTypeOf(variables).toEqualTypeOf<GetUserQueryVariables>()
      return Promise.resolve(HttpResponse.json({ data: { user: ada }, extensions: { took: 1 } }))
    })
    graphql.query(node, function* () {
      yield HttpResponse.json({ data: { user: ada } })
      return HttpResponse.json({ errors: [{ message: 'gone' }] })
    })
    graphql.query(node, ({ variables }) =>
      variables.id === '0'
        ? HttpResponse.json({ errors: [{ message: 'no' }], data: null })
        : HttpResponse.json({ data: { user: ada } }),
    )
    graphql.query(node, () => new Response('plain', { status: 500 }))
    graphql.query(node, () => undefined)
  })

  test('and refuse what does not fit', () => {
    // @ts-expect-error the name is missing
    graphql.query(node, () => HttpResponse.json({ data: { user: { id: '1' } } }))
    // @ts-expect-error a name is text
    graphql.query(text, () => HttpResponse.json({ data: { user: { id: '1', name: 5 } } }))
    // @ts-expect-error data, not a user
    graphql.query(node, () => HttpResponse.json({ user: ada }))
    // @ts-expect-error a message is text
    graphql.query(node, () => HttpResponse.json({ errors: [{ message: 5 }] }))
    // @ts-expect-error text is not a result
    graphql.query(node, () => HttpResponse.text('ada'))
    // @ts-expect-error a string is not a response
    graphql.query(node, () => 'ada')
    graphql.query(node, ({ variables }) => {
      // @ts-expect-error there is no such variable
      void variables.name
    })
    expectTypeOf(graphql.query(node, () => undefined)).toEqualTypeOf<GraphQLHandler>()
  })

  test('to subscriptions', () => {
    graphql.subscription(node, async function* ({ variables, subscription }) {
      expectTypeOf(variables).toEqualTypeOf<GetUserQueryVariables>()
      subscription.publish({ data: { user: ada } })
      // @ts-expect-error the name is missing
      subscription.publish({ data: { user: { id: '1' } } })
      await subscription.from([{ user: ada }])
      // @ts-expect-error a source gives data
      await subscription.from([{ data: { user: ada } }])
      yield { data: { user: null } }
    })
    graphql.subscription(node, ({ subscription, finalize }) => {
      finalize(() => subscription.complete())
      const real = subscription.passthrough()
      real.addEventListener('error', ({ data }) => {
        expectTypeOf(data.payload).toEqualTypeOf<readonly unknown[]>()
      })
      // @ts-expect-error there is no such event
      real.addEventListener('open', () => {})
    })
    graphql.subscription(node, () => [{ data: { user: ada } }])
    // @ts-expect-error the name is missing
    graphql.subscription(node, () => [{ data: { user: { id: '1' } } }])
    // @ts-expect-error the name is missing
    graphql.subscription(node, async function* () {
      yield { data: { user: { id: '1' } } }
    })
  })
})

test('types may be given', () => {
  graphql.query<GetUserQuery, GetUserQueryVariables>('GetUser', ({ variables }) => {
    expectTypeOf(variables).toEqualTypeOf<GetUserQueryVariables>()
    return HttpResponse.json({ data: { user: ada } })
  })
  graphql.operation<GetUserQuery, GetUserQueryVariables>(({ variables }) => {
    expectTypeOf(variables.id).toBeString()
    return HttpResponse.json({ data: { user: ada } })
  })
  // @ts-expect-error the name is missing
  graphql.query<GetUserQuery>('GetUser', () => HttpResponse.json({ data: { user: { id: '1' } } }))
  // @ts-expect-error data is an object
  graphql.query<string>('GetUser', () => HttpResponse.json({ data: 'user' }))
  graphql.query<never>('GetUser', () => HttpResponse.json({ data: { user: ada } }))
})

test('without types, data is any object and variables may be read', () => {
  graphql.query('GetUser', ({ variables, query, operationName, operationType, params, extensions, ...rest }) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- what is not declared may be read
    expectTypeOf(variables).toEqualTypeOf<Record<string, any>>()
    expectTypeOf([query, operationName]).toEqualTypeOf<string[]>()
    expectTypeOf(operationType).toEqualTypeOf<'query' | 'mutation' | 'subscription'>()
    expectTypeOf(extensions).toEqualTypeOf<Record<string, unknown>>()
    expectTypeOf(params['id']).toEqualTypeOf<string | readonly string[] | undefined>()
    expectTypeOf(rest.request.url).toBeString()
    return HttpResponse.json({ data: { user: ada } })
  })
  graphql.query(untyped, () => HttpResponse.json({ data: { anything: true } }))
  graphql.query(parse('query A { a }'), () => HttpResponse.json({ data: null }))
  graphql.query(/User$/, () => HttpResponse.json({ data: ada }))
  graphql.query(
    ({ operationName, cookies }) => operationName in cookies,
    () => HttpResponse.json({}),
  )
  // @ts-expect-error data is an object
  graphql.query('GetUser', () => HttpResponse.json({ data: 'text' }))
  // @ts-expect-error a number matches nothing
  graphql.query(5, () => undefined)
  graphql.query(
    // @ts-expect-error a predicate answers yes or no
    () => 'yes',
    () => undefined,
  )
  // @ts-expect-error there is nothing to answer with
  graphql.query('GetUser')
  expectTypeOf(graphql.query('GetUser', () => undefined, { once: true })).toEqualTypeOf<GraphQLHandler>()
})

test('resolvers of MSW 1', () => {
  graphql.query<GetUserQuery, GetUserQueryVariables>('GetUser', (req, res, ctx) => {
    expectTypeOf(req.variables).toEqualTypeOf<GetUserQueryVariables>()
    return res(ctx.status(200), ctx.data({ user: ada }), ctx.errors([{ message: 'partly' }]))
  })
  // @ts-expect-error the name is missing
  graphql.query<GetUserQuery>('GetUser', (req, res, ctx) => res(ctx.data({ user: { id: '1' } })))
  graphql.operation((req, res, ctx) => res(ctx.data({ query: req.query })))
  // @ts-expect-error GraphQL has no ctx.json
  graphql.mutation('Login', (req, res, ctx) => res(ctx.json({})))
})

test('schemas and what answers them', () => {
  const definitions = 'type Query { user(id: ID!): String }'
  graphql.schema(definitions, {
    url: '/graphql',
    once: true,
    rootValue: { user: ({ id }: { id: string }) => id },
    context: ({ request, operationName }) => ({ user: request.headers.get('x-user'), operationName }),
    resolvers: {
      Query: {
        user: (_parent, args) => {
          expectTypeOf(args['id']).toBeUnknown()
          return 'Ada'
        },
      },
      User: {
        name: (user: User, _args: { upper: boolean }, context: { locale: string }) => user.name + context.locale,
      },
    },
  })
  graphql.schema(buildSchema(definitions))
  graphql.link('/graphql').schema(parse(definitions), { context: { a: 1 } })
  // @ts-expect-error a number is not a schema
  graphql.schema(5)
  // @ts-expect-error there is no such option
  graphql.schema(definitions, { root: {} })
})

test('links and their persisted documents', () => {
  graphql.link(/graphql/, { persisted: { a: 'query A { a }', b: untyped, c: node, d: text } })
  // @ts-expect-error a number is not a document
  graphql.link('/graphql', { persisted: { a: 5 } })
  // @ts-expect-error a link needs a URL
  graphql.link()
  expectTypeOf(graphql.link('/graphql')).toExtend<Pick<typeof graphql, 'query' | 'schema'>>()
})

test('the type of a handler may have the type argument of MSW 1', () => {
  expectTypeOf(graphql.query('A', () => undefined)).toExtend<GraphQLHandler<GraphQLMockedRequest<{ id: string }>>>()
})
