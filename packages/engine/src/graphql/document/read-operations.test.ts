import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'

import { readOperations } from './read-operations.ts'

const kitchenSink = `
  "What it is for"
  query Everything($foo: Input = { a: [1, -2.5e3, "x"] }, $site: [Site!]! = MOBILE @a, $n: Int) @onQuery {
    alias: node(id: [123, 456], text: """
      a block with \\""" in it
    """) {
      id, ... on User @inline { field(first: 10, after: $foo) @include(if: $foo) { id ...rest @spread } }
      ... @skip(unless: $foo) { id }
      ... { id }
    }
  }
  mutation Like @onMutation { like(story: 123, with: {}) { id } }
  subscription OnLike($input: LikeInput! @v) { liked(input: $input) { count } }
  fragment rest on Friend @onFragment { foo(size: $size, obj: { key: "va\\u{1F600}lue", on: true }) }
  { unnamed(truthy: true, nothing: null) query # { a comment
  }
`

describe('operations', () => {
  test.each([
    ['{ user }', [{ type: 'query', name: undefined }]],
    ['query { user }', [{ type: 'query', name: undefined }]],
    ['query GetUser { user }', [{ type: 'query', name: 'GetUser' }]],
    ['\uFEFF # comment\n mutation Login($a: Int) { login }', [{ type: 'mutation', name: 'Login' }]],
    ['# one\rquery A { a, b }\r\n# two', [{ type: 'query', name: 'A' }]],
    ['fragment F on T { a } subscription OnEvent { ...F }', [{ type: 'subscription', name: 'OnEvent' }]],
    ['query query { query }', [{ type: 'query', name: 'query' }]],
    ['fragment F on T { a }', []],
  ])('%s', (source, operations) => {
    expect(readOperations(source)).toEqual(operations)
  })

  test('several, in their order', () => {
    expect(readOperations(kitchenSink).map(({ type, name }) => `${type} ${name}`)).toEqual([
      'query Everything',
      'mutation Like',
      'subscription OnLike',
      'query undefined',
    ])
  })

  test('their names reach no prototype', () => {
    expect(readOperations('query __proto__ { a }')).toEqual([{ type: 'query', name: '__proto__' }])
  })
})

describe('malformed documents say what was expected, and where', () => {
  test.each([
    ['', 'expected an operation or a fragment, found the end at line 1, column 1'],
    ['not a document {', 'expected an operation or a fragment, found "not" at line 1, column 1'],
    ['query GetUser', 'expected "{", found the end at line 1, column 14'],
    ['query GetUser {\n  user(\n', 'expected a name, found the end at line 3, column 1'],
    ['{ user(id: ) }', 'expected a value, found ")" at line 1, column 12'],
    ['query ($id ID) { user }', 'expected ":", found "ID" at line 1, column 12'],
    ['{ user }\r\n}', 'expected an operation or a fragment, found "}" at line 2, column 1'],
    ['{ a(b: "c) }', 'a string that does not end at line 1, column 8'],
    ['{ a(b: 01) }', 'an unexpected "0" at line 1, column 8'],
    ['{ a ; }', 'an unexpected ";" at line 1, column 5'],
    ['query ($a: Int = $b) { c }', 'expected a value, found "$" at line 1, column 18'],
    ['fragment on on T { a }', 'expected a fragment\'s name, found "on" at line 1, column 10'],
    ['type User { id: ID }', 'expected an operation or a fragment, found "type" at line 1, column 1'],
    ['{a'.repeat(100_000), 'selections nested too deeply at line 1, column 1'],
  ])('%.40s', (source, message) => {
    expect(() => readOperations(source)).toThrow(
      expect.objectContaining({ name: 'GraphQLSyntaxError', message }) as Error,
    )
  })
})

test('agrees with the graphql package about documents that were broken at random', () => {
  const pieces = /\.\.\.|[!$&()[\]:=@{|}]|\w+|"""|"|\\|\s|\S/g
  const corpus = [kitchenSink, '{ a(x: "", y: """""") }', 'query Q($a: [Int!]! = [1 2]) { a(b: $a) on }']
  const spare = corpus.join('').match(pieces) ?? []
  let seed = 1
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const outcomes = { valid: 0, broken: 0 }
  for (let round = 0; round < 3000; round += 1) {
    const parts = corpus[round % corpus.length]?.match(pieces) ?? []
    for (let change = random(3); change > 0; change -= 1) {
      parts.splice(random(parts.length), random(2), ...(random(2) === 0 ? [spare[random(spare.length)] ?? ''] : []))
    }
    const source = parts.join('')
    const expected = operationsByGraphQL(source)
    expect(
      attempt(() => readOperations(source).map(({ type, name }) => [type, name])),
      source,
    ).toEqual(expected)
    outcomes[expected === 'broken' ? 'broken' : 'valid'] += 1
  }
  // Both outcomes occurred often enough.
  expect(Math.min(outcomes.valid, outcomes.broken)).toBeGreaterThan(500)
})

function operationsByGraphQL(source: string): unknown {
  return attempt(() =>
    parse(source).definitions.flatMap((definition) => {
      if (definition.kind === 'OperationDefinition') return [[definition.operation, definition.name?.value]]
      if (definition.kind === 'FragmentDefinition') return []
      throw new Error('not executable')
    }),
  )
}

function attempt<Value>(run: () => Value): Value | 'broken' {
  try {
    return run()
  } catch {
    return 'broken'
  }
}
