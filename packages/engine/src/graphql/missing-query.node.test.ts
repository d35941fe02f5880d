import { afterEach, expect, it, vi } from 'vitest'

import { graphql, http, HttpResponse } from '../index.ts'
import { setupServer } from '../node.ts'

const url = 'https://api.test/graphql'
const api = graphql.link(url)
const named = api.query('GetUser', () => HttpResponse.json({ data: {} }))
const server = setupServer()

afterEach(() => {
  server.close()
  vi.restoreAllMocks()
})

function post(body: string, type = 'application/json'): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body })
}

it.each([
  ['no query', '{}', 'application/json'],
  ['a query that is not a string', '{"query": 5}', 'application/json'],
  ['an empty query', '{"query": ""}', 'application/json'],
  ['an array of other things', '[1]', 'application/json'],
  ['no JSON', '{"query', 'application/json'],
  ['a response type', '{}', 'application/graphql-response+json'],
])('a link fails a POST with %s under "error", and says that the query is missing', async (_title, body, type) => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  server.listen({ onUnhandledRequest: 'error' })
  server.use(named)
  await expect(post(body, type)).rejects.toThrow('fetch failed')
  expect(printed.mock.calls.flat().join('\n')).toContain(
    `near: query GetUser (${url}): endpoint matches, the request has no "query" and names no persisted document`,
  )
})

it('a handler of http at the same URL answers a POST without a query', async () => {
  server.listen({ onUnhandledRequest: 'error' })
  server.use(
    named,
    http.post(url, () => new HttpResponse(null, { status: 400 })),
  )
  expect((await post('{}')).status).toBe(400)
})

it('a request to another URL is not compared with the link', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  server.listen({ onUnhandledRequest: 'error' })
  server.use(named)
  await expect(fetch('https://api.test/other', { method: 'POST', body: '{}' })).rejects.toThrow('fetch failed')
  expect(printed.mock.calls.flat().join('\n')).not.toContain('near: query GetUser')
})
