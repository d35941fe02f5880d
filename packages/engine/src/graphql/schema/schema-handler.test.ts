import {
  buildSchema,
  graphql as executeGraphQL,
  GraphQLError,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql'
import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { getResponse } from '../../core/network/get-response.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { graphql } from '../graphql.ts'
import { ask, endpoint, get, post } from '../testing/graphql-request.ts'

const modern = { Accept: 'application/graphql-response+json, application/json;q=0.9' }
const definitions = `
  type User { id: ID! name: String! }
  type Query { user(id: ID!): User }
`
const users = new Map([['1', { id: '1', name: 'Ada', password: 'secret' }]])
const rootValue = { user: ({ id }: { id: string }) => users.get(id) ?? null }
const query = 'query GetUser($id: ID!) { user(id: $id) { name } }'
const ada = { data: { user: { name: 'Ada' } } }

afterEach(() => {
  vi.restoreAllMocks()
})

describe('without schema(): a resolver executes an operation', () => {
  test('as in the recipe', async () => {
    const schema = buildSchema(definitions)
    const handler = graphql.operation(async ({ query: source, variables }) => {
      const { errors, data } = await executeGraphQL({ schema, source, variableValues: variables, rootValue })
      return HttpResponse.json({ errors, data })
    })
    expect(await ask(handler, post({ query, variables: { id: '1' } }))).toEqual(ada)
    expect(await ask(handler, post('{ user { name } }'))).toEqual({
      errors: [expect.objectContaining({ message: expect.stringContaining('is required') as string })],
    })
  })
})

describe('in one line', () => {
  test.each<[string, Parameters<typeof graphql.schema>[0]]>([
    ['a text', definitions],
    ['a document', parse(definitions)],
    ['a document without its source', parse(definitions, { noLocation: true })],
    ['a schema', buildSchema(definitions)],
  ])('%s', async (_title, schema) => {
    const handler = graphql.schema(schema, { rootValue })
    expect(await ask(handler, post({ query, variables: { id: '1' } }))).toEqual(ada)
    expect(await ask(handler, get({ query, variables: '{"id":"2"}' }))).toEqual({ data: { user: null } })
    expect(await ask(handler, post('{ __typename }'))).toEqual({ data: { __typename: 'Query' } })
    const several = 'query A { user(id: 1) { name } } query B { __typename }'
    expect(await ask(handler, post({ query: several, operationName: 'A' }))).toEqual(ada)
  })

  test('at one endpoint', async () => {
    const elsewhere = 'https://other.example.com/graphql'
    for (const handler of [
      graphql.schema(definitions, { rootValue, url: endpoint }),
      graphql.link(endpoint).schema(definitions, { rootValue }),
    ]) {
      expect(await ask(handler, post('{ user(id: 1) { name } }'))).toEqual(ada)
      expect(await ask(handler, post('{ user(id: 1) { name } }', {}, elsewhere))).toBeUndefined()
      expect(handler.info.header).toBe(`schema (${endpoint})`)
      expect(handler.info.callSite?.file).toContain('schema-handler.test.ts')
    }
  })

  test('after handlers of single operations, which come first', async () => {
    const handlers = [
      graphql.query('GetUser', () => HttpResponse.json({ data: { user: { name: 'Grace' } } }), { once: true }),
      graphql.schema(definitions, { rootValue }),
    ]
    const request = () => post({ query, variables: { id: '1' } })
    expect(await ask(handlers, request())).toEqual({ data: { user: { name: 'Grace' } } })
    expect(await ask(handlers, request())).toEqual(ada)
  })

  test('a batch is executed one by one', async () => {
    const handler = graphql.schema(definitions, { rootValue })
    const batch = [{ query, variables: { id: '1' } }, { query: '{ nothing }' }]
    expect(await ask(handler, post(batch))).toEqual([ada, { errors: [expect.objectContaining({})] }])
  })
})

describe('requests that a server refuses', () => {
  const handler = graphql.schema(definitions, { rootValue })

  test.each<[string, object | string, string]>([
    ['a malformed document', '{ user(', 'Syntax Error'],
    ['a field that is not in the schema', '{ missing }', 'Cannot query field "missing" on type "Query".'],
    ['a missing argument', '{ user { name } }', 'is required, but it was not provided.'],
    ['a variable of another type', { query, variables: { id: {} } }, 'Variable "$id"'],
    ['a variable that is missing', { query }, 'Variable "$id"'],
    ['an operation that the document has not', { query, operationName: 'Other' }, 'Unknown operation named "Other".'],
    [
      'several operations without a name',
      'query A { __typename } query B { __typename }',
      'Must provide operation name',
    ],
    [
      'variables that are not an object',
      { query, variables: 5 },
      'Cannot read the request: its "variables" are not an object.',
    ],
    ['a hash of no document', { extensions: { persistedQuery: { sha256Hash: 'a' } } }, 'PersistedQueryNotFound'],
  ])('%s', async (_title, body, message) => {
    for (const [headers, status] of [
      [{}, 200],
      [modern, 400],
    ] as const) {
      const response = await getResponse([handler], post(body, headers))
      expect(response?.status).toBe(status)
      expect(response?.headers.get('content-type')).toBe(
        status === 400 ? 'application/graphql-response+json' : 'application/json',
      )
      const result = (await response?.json()) as { errors: { message: string }[] }
      expect(result).not.toHaveProperty('data')
      expect(result.errors[0]?.message).toContain(message)
    }
  })

  test('an error of a resolver is an error of its field, next to the data', async () => {
    const throwing = graphql.schema(definitions, {
      rootValue: {
        user() {
          throw new GraphQLError('no such user', { extensions: { code: 'NOT_FOUND' } })
        },
      },
    })
    const response = await getResponse([throwing], post('{ user(id: 1) { name } }', modern))
    expect(response?.status).toBe(200)
    expect(await response?.json()).toEqual({
      data: { user: null },
      errors: [expect.objectContaining({ message: 'no such user', path: ['user'], extensions: { code: 'NOT_FOUND' } })],
    })
  })

  test('a mutation by GET', async () => {
    const mutating = graphql.schema('type Query { a: Int } type Mutation { a: Int }', { rootValue: { a: 1 } })
    const response = await getResponse([mutating], get({ query: 'mutation { a }' }))
    expect(response?.status).toBe(405)
    expect(response?.headers.get('allow')).toBe('POST')
    expect(await ask(mutating, get({ query: '{ a }' }))).toEqual({ data: { a: 1 } })
    expect(await ask(mutating, post('mutation { a }'))).toEqual({ data: { a: 1 } })
  })

  test('a client that accepts only event streams gets the error in one', async () => {
    const response = await getResponse([handler], post('{ missing }', { Accept: 'text/event-stream' }))
    expect(response?.status).toBe(200)
    expect(await response?.text()).toContain('event: next\ndata: {"errors":[{"message":"Cannot query field')
  })
})

describe('persisted documents', () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'abc' } }

  test('are remembered when a client sends one with its hash', async () => {
    const handler = graphql.schema(definitions, { rootValue })
    const variables = { id: '1' }
    expect(await ask(handler, post({ extensions, variables }))).toEqual({
      errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
    expect(await ask(handler, post({ query, extensions, variables }))).toEqual(ada)
    expect(await ask(handler, post({ extensions, variables }))).toEqual(ada)
  })

  test('may be given', async () => {
    const handler = graphql.link(endpoint, { persisted: { abc: query } }).schema(definitions, { rootValue })
    expect(await ask(handler, post({ documentId: 'abc', variables: { id: '1' } }))).toEqual(ada)
  })
})

describe('resolvers', () => {
  const richer = `
    scalar Instant
    enum Role { ADMIN GUEST }
    interface Named { name: String! }
    union Found = User | Team
    directive @tag(name: String = "a") on FIELD_DEFINITION
    input Filter { since: Instant, role: Role = GUEST }
    type User implements Named { name: String! role: Role! seenAt: Instant! shout: String! }
    type Team implements Named { name: String! members: [User!]! }
    type Query { find(filter: Filter!): [Found!]! named: [Named] me: User @tag }
    type Mutation { rename(name: String!): User }
  `
  // By the names that graphql 16 and 17 share.
  const instant: ConstructorParameters<typeof GraphQLScalarType<Date, number>>[0] = Object.fromEntries([
    ['name', 'Instant'],
    ['serialize', (date: Date) => date.getTime()],
    ['parseValue', (value: number) => new Date(value)],
    ['parseLiteral', ({ value }: { value: string }) => new Date(Number(value))],
  ])
  const resolvers = {
    Instant: new GraphQLScalarType<Date, number>(instant),
    Role: { ADMIN: 1, GUEST: 2 },
    Found: { __resolveType: (found: object) => ('members' in found ? 'Team' : 'User') },
    Named: { __resolveType: () => 'User' },
    User: {
      shout: ({ name }: { name: string }, _args: unknown, { suffix }: { suffix: string }) =>
        name.toUpperCase() + suffix,
    },
    Query: {
      find: (_parent: unknown, { filter }: { filter: { since: Date; role: number } }) => [
        { name: 'Ada', role: filter.role, seenAt: filter.since },
        { name: 'Analysts', members: [{ name: 'Grace', role: 1, seenAt: new Date(7) }] },
      ],
      me: async () => Promise.resolve({ name: 'Ada', role: 1, seenAt: new Date(5) }),
      named: () => [{ name: 'Ada' }],
    },
    Mutation: { rename: { resolve: (_parent: unknown, { name }: { name: string }) => ({ name }) } },
  }
  const context = { suffix: '!' }

  test('resolve fields, scalars, enums, unions and interfaces', async () => {
    const handler = graphql.schema(richer, { resolvers, context })
    const find = `query ($since: Instant!) {
      find(filter: { since: $since }) { __typename ... on User { name role seenAt } ... on Team { members { role seenAt } } }
      literal: find(filter: { since: 3, role: ADMIN }) { ... on User { role seenAt } }
      named { __typename name }
      me { shout }
    }`
    expect(await ask(handler, post({ query: find, variables: { since: 9 } }))).toEqual({
      data: {
        find: [
          { __typename: 'User', name: 'Ada', role: 'GUEST', seenAt: 9 },
          { __typename: 'Team', members: [{ role: 'ADMIN', seenAt: 7 }] },
        ],
        literal: [{ role: 'ADMIN', seenAt: 3 }, {}],
        named: [{ __typename: 'User', name: 'Ada' }],
        me: { shout: 'ADA!' },
      },
    })
    expect(await ask(handler, post('mutation { rename(name: "Grace") { name } }'))).toEqual({
      data: { rename: { name: 'Grace' } },
    })
  })

  test('a scalar may consist only of its functions', async () => {
    const handler = graphql.schema('scalar Upper type Query { a: Upper }', {
      resolvers: { Upper: { serialize: (value: unknown) => String(value).toUpperCase() }, Query: { a: () => 'text' } },
    })
    expect(await ask(handler, post('{ a }'))).toEqual({ data: { a: 'TEXT' } })
  })

  test('the context may be created for each operation', async () => {
    const handler = graphql.schema('type Query { who(a: Int): String }', {
      context: async ({ request, operationName, variables, cookies }) =>
        Promise.resolve([request.headers.get('x-user'), operationName, variables, { ...cookies }]),
      resolvers: { Query: { who: (_parent: unknown, _args: unknown, given: unknown) => JSON.stringify(given) } },
    })
    const request = post(
      { query: 'query Who($a: Int) { who(a: $a) }', variables: { a: 1 }, operationName: 'Who' },
      { 'X-User': 'ada' },
    )
    expect(await ask(handler, request)).toEqual({ data: { who: '["ada","Who",{"a":1},{}]' } })
  })

  test("take precedence over a schema's own, and do not change the schema", async () => {
    const own = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: {
          a: { type: GraphQLString, resolve: () => 'own a' },
          b: { type: GraphQLString, resolve: () => 'own b' },
        },
      }),
    })
    const changed = graphql.schema(own, { resolvers: { Query: { a: () => 'changed a' } } })
    expect(await ask(changed, post('{ a b }'))).toEqual({ data: { a: 'changed a', b: 'own b' } })
    expect(await ask(graphql.schema(own), post('{ a b }'))).toEqual({ data: { a: 'own a', b: 'own b' } })
  })

  test('recursive types and their arguments survive the copy', async () => {
    const handler = graphql.schema(
      'input Path { next: Path name: String } type Node { name: String child(path: Path): Node } type Query { root: Node }',
      {
        resolvers: {
          Query: { root: () => ({ name: 'root' }) },
          Node: { child: (_parent: unknown, { path }: { path: { next: { name: string } } }) => path.next },
        },
      },
    )
    expect(await ask(handler, post('{ root { name child(path: { next: { name: "a" } }) { name } } }'))).toEqual({
      data: { root: { name: 'root', child: { name: 'a' } } },
    })
  })

  test.each<[object, string]>([
    [{ Quary: {} }, 'it has no type "Quary". Its types are '],
    [{ Query: { finds: () => [] } }, 'its type "Query" has no "finds". It has find, named, me.'],
    [{ Query: { find: 5 } }, 'the resolver of Query.find is the number 5'],
    [{ Query: null }, 'the resolvers of "Query" are null'],
    [{ Role: { ROOT: 1 } }, 'its type "Role" has no "ROOT". It has ADMIN, GUEST.'],
    [{ Found: { user: () => 1 } }, 'its type "Found" has no "user". It has no fields of its own.'],
    [{ __proto__: null, toString: {} }, 'it has no type "toString"'],
  ])('of what the schema has not: %#', async (wrong, message) => {
    expect(await failureOf(graphql.schema(richer, { resolvers: wrong as never }))).toContain(
      `Failed to give a GraphQL schema its resolvers: ${message}`,
    )
  })
})

describe('an invalid schema', () => {
  test.each([undefined, null, '', 5, {}, { kind: 'Field' }])('%o', (source) => {
    expect(() => graphql.schema(source as never)).toThrow(
      'Failed to create the handler graphql.schema(): its first argument is',
    )
  })

  test.each([
    ['type Query {', 'its type definitions cannot be read: Syntax Error'],
    ['type Query { a: Nothing }', 'its type definitions cannot be read: Unknown type'],
    ['type User { id: ID }', 'the schema is not valid: Query root type must be provided.'],
  ])('%s', async (source, message) => {
    expect(await failureOf(graphql.schema(source))).toContain(message)
  })
})

/** Returns the message of a handler's 500, which is also on the console. */
async function failureOf(handler: Handler): Promise<string> {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  const response = await getResponse([handler], post('{ __typename }'))
  expect(response?.status).toBe(500)
  expect(print).toHaveBeenCalledOnce()
  const body: unknown = await response?.json()
  return (body as { message: string }).message
}
