import fc from 'fast-check'
import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { getResponse } from '../../core/network/get-response.ts'
import { fuzzSettings } from '../../testing/fuzz-settings.ts'
import { readOperations } from '../document/read-operations.ts'
import { graphql } from '../graphql.ts'
import { BrokenRequest } from './broken-request.ts'
import corpus from './graphql.corpus.json' with { type: 'json' }
import { readMultipartBody } from './multipart-body.ts'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const piece = fc.constantFrom(
  'query',
  'mutation',
  'subscription',
  'fragment',
  'on',
  'A',
  '__proto__',
  'true',
  'null',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  '$',
  ':',
  '=',
  '@',
  '!',
  '...',
  '|',
  '&',
  '$a',
  ': Int',
  '1',
  '-1.5e3',
  '01',
  '"a"',
  '"""b"""',
  '"',
  '\\',
  '#x\n',
  ',',
  '\ufeff',
  '{ a }',
  '{ a(b: 1) }',
  'query A { a }',
  'fragment F on T { a }',
  '($a: [Int!]! = 1 @d)',
  '@skip(if: $a)',
  '... on T { b }',
  '...F',
)
const document = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
)

type Read = readonly (readonly [type: string, name: string | undefined])[] | 'refused'

function readHere(source: string): Read {
  try {
    return readOperations(source).map(({ type, name }) => [type, name] as const)
  } catch (error) {
    if ((error as Error).name === 'GraphQLSyntaxError') return 'refused'
    throw error
  }
}

function readByOracle(source: string): Read {
  try {
    const { definitions } = parse(source, { noLocation: true })
    return definitions.flatMap((definition) => {
      if (definition.kind === 'OperationDefinition') return [[definition.operation, definition.name?.value] as const]
      if (definition.kind === 'FragmentDefinition') return []
      throw new Error('A definition of types cannot be executed.')
    })
  } catch {
    return 'refused'
  }
}

it('reads and refuses the same documents as graphql', () => {
  fc.assert(
    fc.property(document, (source) => {
      expect(readHere(source)).toEqual(readByOracle(source))
    }),
    fuzzSettings(
      corpus.documents.map((source) => [source] as [string]),
      5_000,
    ),
  )
})

const key = fc.constantFrom(
  'variables',
  'files',
  '0',
  '1',
  '__proto__',
  'constructor',
  'prototype',
  'length',
  'toString',
  '',
)
const variables = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  ),
})).any

it('a multipart map puts files at own keys only', () => {
  const map = fc.dictionary(
    fc.constantFrom('0', '1', '__proto__'),
    fc.array(
      fc.array(key, { maxLength: 5 }).map((keys) => keys.join('.')),
      { maxLength: 3 },
    ),
  )
  fc.assert(
    fc.property(variables, map, (given, paths) => {
      const form = new FormData()
      form.append('operations', JSON.stringify({ query: '{ a }', variables: given }))
      form.append('map', JSON.stringify(paths))
      form.append('0', new File(['a'], 'a.txt'))
      expect(problemOf(() => readMultipartBody(form))).toSatisfy(
        (error) => error === undefined || error instanceof BrokenRequest,
      )
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeNames)
      expect(Array.isArray(Array.prototype) && Array.prototype.length).toBe(0)
    }),
    fuzzSettings(corpus.maps as [unknown, Record<string, string[]>][]),
  )
})

const prototypeNames = Object.getOwnPropertyNames(Object.prototype)

function problemOf(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

describe('an endpoint with a schema', () => {
  const url = 'https://api.test/graphql'
  const handler = graphql.schema('type Query { a(b: Int): String } type Mutation { a: String }', { url })
  const type = fc.constantFrom(
    'application/json',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'text/plain',
    'image/png',
  )
  const field = fc.oneof(document, fc.constantFrom('{ a }', '{ __proto__: a }', null, 1, true), variables)
  const body = fc.oneof(
    fc
      .record({ query: field, variables: field, operationName: field, extensions: field }, { requiredKeys: [] })
      .map((fields) => JSON.stringify(fields)),
    fc.json(),
    fc.string(),
  )

  it('answers any POST with a result or with errors', async () => {
    await fc.assert(
      fc.asyncProperty(
        type,
        body,
        fc.constantFrom('*/*', 'application/graphql-response+json', ';;', 'text/html'),
        async (contentType, text, accept) => {
          const headers = { 'Content-Type': contentType, Accept: accept }
          const response = await getResponse([handler], new Request(url, { method: 'POST', body: text, headers }))
          expect([200, 400]).toContain(response?.status)
          const results: unknown = await response?.json()
          for (const result of [results].flat()) {
            expect(Object.keys(result as object)).toSatisfy(
              (keys: string[]) => keys.includes('data') || keys.includes('errors'),
            )
          }
          expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeNames)
        },
      ),
      fuzzSettings(corpus.posts as [string, string, string][]),
    )
  })
})
