import { expect, test } from 'vitest'

import { isMeant, toRecordedRequest, toSentRequest, type RequestFilter, type SentRequest } from './sent-requests.ts'

function send(url: string, init?: RequestInit, name?: string): SentRequest {
  return toSentRequest({
    request: new Request(url, init),
    requestId: '1',
    name,
    startedAt: 0,
    duration: 1,
    outcome: { type: 'mocked', response: new Response(null, { status: 204 }) },
    entry: undefined,
    nearest: () => [],
  } as unknown as Parameters<typeof toSentRequest>[0])
}

const request = send('https://app.test/users/5?full=1&full=2', { method: 'POST', body: 'x' })

test.each<RequestFilter>([
  '/users/5',
  'POST /users/5',
  'post /users/:id',
  '/users/*',
  'https://app.test/users/:id',
  { method: 'POST' },
  { pathname: '/users/5', outcome: 'mocked' },
])('%o means the request', (filter) => {
  expect(isMeant(request, filter)).toBe(true)
})

test.each<RequestFilter>(['/users', 'GET /users/5', '/users/:id/posts', '/users/5x', '/usersX5', { method: 'GET' }])(
  '%o does not mean it',
  (filter) => {
    expect(isMeant(request, filter)).toBe(false)
  },
)

test('a GraphQL operation is known by its name', () => {
  const operation = send('https://app.test/graphql', { method: 'POST', body: '{}' }, 'query GetUser')
  expect(['GetUser', 'query GetUser', '/graphql'].map((filter) => isMeant(operation, filter))).toEqual([
    true,
    true,
    true,
  ])
  expect(isMeant(operation, 'mutation GetUser')).toBe(false)
})

test.each<[name: string, init: RequestInit, body: unknown]>([
  ['nothing', {}, null],
  ['text', { method: 'POST', body: 'hello' }, 'hello'],
  ['JSON', { method: 'POST', body: '{"a":[1]}', headers: { 'content-type': 'application/json' } }, { a: [1] }],
  [
    'JSON of a kind',
    { method: 'POST', body: '{}', headers: { 'content-type': 'application/merge-patch+json; charset=utf-8' } },
    {},
  ],
  ['malformed JSON', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }, null],
  ['a form', { method: 'POST', body: new URLSearchParams({ a: '1' }) }, { a: '1' }],
])('reads a body: %s', async (_name, init, body) => {
  const sent = send('https://app.test/', init)
  expect((await toRecordedRequest(sent)).body).toEqual(body)
  // A test may ask again.
  expect((await toRecordedRequest(sent)).body).toEqual(body)
})

test('returns the sent requests', async () => {
  expect(await toRecordedRequest(request)).toMatchObject({
    method: 'POST',
    url: 'https://app.test/users/5?full=1&full=2',
    pathname: '/users/5',
    query: { full: '2' },
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    outcome: 'mocked',
    status: 204,
    handler: null,
  })
})
