import { expect, test } from 'vitest'

import { readOperation } from './read-operation.ts'

function read(given: unknown, method = 'POST', url = 'https://a.test/graphql'): string | null {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const request = { type: 'application/json', size: 1, isComplete: true, text, base64: null }
  return readOperation({ method, url }, { bodies: { request, response: null } })
}

test.each<[query: string, operationName: string | undefined, expected: string | null]>([
  ['query GetUser { user }', undefined, 'query GetUser'],
  ['mutation Save($id: ID!) @live { save(id: $id) }', undefined, 'mutation Save'],
  ['fragment F on User { id }\nquery A { a }\nmutation B { b }', 'B', 'mutation B'],
  ['# query Comment { a }\nquery Own($a: String = "query Text {") { a }', undefined, 'query Own'],
  ['{ user }', undefined, null],
  ['query { user }', undefined, null],
  ['{ query user { id } }', undefined, null],
  ['subscription S { s }', undefined, null],
  ['query A { a }', 'Other', null],
])('%s', (query, operationName, expected) => {
  expect(read({ query, operationName })).toBe(expected)
})

test('a request of another kind has no operation', () => {
  for (const body of ['', 'query A { a }', '[]', 'null', '5', '{"query":5}', [{ query: 'query A { a }' }]]) {
    expect(read(body)).toBe(null)
  }
  expect(readOperation({ method: 'POST', url: 'https://a.test/' }, { bodies: { request: null, response: null } })).toBe(
    null,
  )
})

test('a GET request has the operation in its URL', () => {
  const query = encodeURIComponent('query GetUser { user }')
  expect(read('', 'GET', `https://a.test/graphql?query=${query}`)).toBe('query GetUser')
  expect(read('', 'GET', 'https://a.test/search?query=query+me')).toBe(null)
})

test('a document of any length is read in linear time', () => {
  // An expression that searches the end of each text again would exceed the time-out of the test by far.
  for (const piece of [String.raw`\"`, String.raw`"\\`, '"""a', '#', 'query ', '(', '\n']) {
    const query = `query GetUser { user }${piece.repeat(1_000_000 / piece.length)}`
    expect(read({ query })).toBe('query GetUser')
  }
})
