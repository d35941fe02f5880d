import { serverAudits, type Audit } from 'graphql-http'
import nodeFetch from 'node-fetch'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { setupServer } from '../node/setup-server.ts'
import { graphql } from './graphql.ts'

// The audits of the GraphQL-over-HTTP specification, from the package `graphql-http`.

const schema = 'type Query { hello: String } type Mutation { hello: String }'
const resolvers = { Query: { hello: () => 'world' } }
const url = 'https://api.test/graphql'

function auditsBy(client: string, fetchFn: unknown): [title: string, audit: Audit][] {
  return serverAudits({ url, fetchFn }).map((audit) => [`${client}: ${audit.id} ${audit.name}`, audit])
}

describe.each([
  ['a schema with a URL', graphql.schema(schema, { resolvers, url })],
  ['a schema of a link', graphql.link(url).schema(schema, { resolvers })],
])('%s', (_endpoint, handler) => {
  const server = setupServer(handler)
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterAll(() => server.close())

  it.each([
    ...auditsBy('fetch', (...args: Parameters<typeof fetch>) => fetch(...args)),
    // It uses `node:http`.
    ...auditsBy('node-fetch', nodeFetch),
  ])('%s', async (_name, audit) => {
    // An audit that gets no response at all rejects. A "MUST" that is broken is an error, a "SHOULD" a warning.
    const result = await audit.fn()
    expect(result.status === 'ok' ? '' : `${result.status}: ${result.reason}`).not.toMatch(/^error/)
  })

  it.each<[title: string, init: RequestInit]>([
    ['no body', { method: 'POST' }],
    ['an empty object', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }],
    ['an empty array', { method: 'POST', body: '[]', headers: { 'Content-Type': 'application/json' } }],
    ['broken JSON', { method: 'POST', body: '{"query', headers: { 'Content-Type': 'application/json' } }],
    ['octets', { method: 'POST', body: '\0', headers: { 'Content-Type': 'application/octet-stream' } }],
    ['a form without operations', { method: 'POST', body: new FormData() }],
    ['a GET without parameters', { headers: { Accept: 'application/json' } }],
  ])('answers %s with 400', async (_title, init) => {
    const response = await fetch(url, init)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      errors: [{ message: 'Cannot read the request: it has no "query", and names no persisted document.' }],
    })
  })

  it('does not answer the page of an explorer and other methods', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const requests = [fetch(url, { headers: { Accept: 'text/html,*/*' } }), fetch(url, { method: 'PUT', body: '{}' })]
    for (const request of requests) await expect(request).rejects.toThrow('fetch failed')
    vi.restoreAllMocks()
  })
})
