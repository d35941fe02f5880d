import * as newer from 'graphql'
import * as older from 'graphql-16'
import { describe, expect, test } from 'vitest'

import type { GraphQLPackage } from '../document/load-graphql.ts'
import { rebuildSchema } from './rebuild-schema.ts'

const definitions = `
  directive @tag(name: String = "a") repeatable on FIELD_DEFINITION | OBJECT

  scalar Instant @specifiedBy(url: "https://example.com/instant")

  """The permissions of a user"""
  enum Role {
    ADMIN
    GUEST @deprecated(reason: "not used")
  }

  interface Node {
    id: ID!
  }

  interface Named implements Node {
    id: ID!
    name: String
  }

  type User implements Named & Node @tag {
    id: ID!
    name: String
    friends(first: Int = 10, filter: Filter = {role: GUEST, deep: {role: ADMIN}}): [User!]!
  }

  type Team {
    id: ID!
  }

  union Found = User | Team

  input Filter {
    role: Role = GUEST
    since: Instant
    deep: Filter
  }

  type Query {
    find(text: String!): [Found]
    node(id: ID!): Node
  }

  type Mutation {
    rename(name: String!): User
  }

  type Subscription {
    renamed: User
  }
`

const sixteen = older as unknown as GraphQLPackage

describe.each([
  ['17 of 17', newer, newer],
  ['16 of 16', sixteen, sixteen],
  ['17 of 16', newer, sixteen],
  ['16 of 17', sixteen, newer],
])("graphql %s's schema", (_title, graphql, made) => {
  test('is copied completely', () => {
    const schema = made.buildSchema(definitions)
    const copy = rebuildSchema(graphql, schema)
    expect(copy).toBeInstanceOf(graphql.GraphQLSchema)
    expect(normalize(graphql.printSchema(copy))).toBe(normalize(made.printSchema(schema)))
    expect(graphql.validateSchema(copy)).toEqual([])
    expect(Object.values(copy.getTypeMap()).filter((type) => !graphql.isNamedType(type))).toEqual([])
  })

  test('is executed with its own resolvers', async () => {
    const schema = new made.GraphQLSchema({
      query: new made.GraphQLObjectType({
        name: 'Query',
        fields: {
          shout: {
            type: new made.GraphQLNonNull(made.GraphQLString),
            args: { text: { type: made.GraphQLString } },
            resolve: (_parent, { text }: { text: string }) => text.toUpperCase(),
          },
          fails: {
            type: made.GraphQLString,
            resolve() {
              throw new made.GraphQLError('no', { extensions: { code: 'NO' } })
            },
          },
        },
      }),
    })
    const result = await graphql.graphql({
      schema: rebuildSchema(graphql, schema),
      source: '{ shout(text: "a") fails __schema { queryType { name } } }',
    })
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      data: { shout: 'A', fails: null, __schema: { queryType: { name: 'Query' } } },
      errors: [expect.objectContaining({ message: 'no', extensions: { code: 'NO' } })],
    })
  })
})

/** The two print objects with and without spaces. */
function normalize(text: string): string {
  return text.replaceAll('{ ', '{').replaceAll(' }', '}')
}
