import { createClient, type Client } from 'graphql-sse'
import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { getResponse } from '../../core/network/get-response.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { graphql } from '../graphql.ts'
import { endpoint, post } from '../testing/graphql-request.ts'

const api = graphql.link(endpoint)
const clients: Client<boolean>[] = []
const requests: string[] = []

afterEach(() => {
  for (const client of clients.splice(0)) client.dispose()
  requests.length = 0
  vi.restoreAllMocks()
})

/** A client of the package `graphql-sse`, whose requests the handlers get. */
function connect<SingleConnection extends boolean>(
  singleConnection: SingleConnection,
  ...handlers: Handler[]
): Client<SingleConnection> {
  const client = createClient<SingleConnection>({
    url: endpoint,
    singleConnection,
    retryAttempts: 0,
    async fetchFn(input: RequestInfo, init?: RequestInit) {
      const request = new Request(input, init)
      requests.push(`${request.method} ${new URL(request.url).search}`.trim())
      const response = await getResponse(handlers, request)
      if (!response) throw new TypeError('not handled')
      return response
    },
  })
  clients.push(client)
  return client
}

async function collect(client: Client<boolean>, query: string, count = Infinity): Promise<unknown[]> {
  const results: unknown[] = []
  for await (const result of client.iterate({ query })) {
    results.push(result)
    if (results.length === count) break
  }
  return results
}

const user = api.query('GetUser', () => HttpResponse.json({ data: { user: 'Ada' } }))
const numbers = api.subscription('Count', async function* () {
  for (const count of [1, 2, 3]) yield await Promise.resolve({ data: { count } })
})
const counted = [1, 2, 3].map((count) => ({ data: { count } }))

describe.each([
  ['distinct connections', false],
  ['a single connection', true],
] as const)('%s', (_title, isSingle) => {
  test('carry queries and subscriptions', async () => {
    const client = connect(isSingle, user, numbers)
    expect(await collect(client, 'query GetUser { user }')).toEqual([{ data: { user: 'Ada' } }])
    expect(await collect(client, 'subscription Count { count }')).toEqual(counted)
  })

  test('carry them concurrently', async () => {
    const client = connect(isSingle, user, numbers)
    const all = await Promise.all([
      collect(client, 'subscription Count { count }'),
      collect(client, 'query GetUser { user }'),
      collect(client, 'subscription Count { count }'),
    ])
    expect(all).toEqual([counted, [{ data: { user: 'Ada' } }], counted])
  })

  test('carry them if requests do not have the property `body`, as in Firefox', async () => {
    const body = vi.spyOn(Request.prototype, 'body', 'get').mockReturnValue(undefined as never)
    const client = connect(isSingle, user, numbers)
    expect(await collect(client, 'subscription Count { count }')).toEqual(counted)
    body.mockRestore()
  })

  test('carry errors', async () => {
    const client = connect(
      isSingle,
      api.subscription('Count', ({ subscription }) => subscription.error([{ message: 'no' }])),
    )
    expect(await collect(client, 'subscription Count { count }')).toEqual([{ errors: [{ message: 'no' }] }])
  })

  test('carry the results of a schema', async () => {
    const schema = api.schema('type Query { a: Int } type Subscription { b: Int }', {
      rootValue: {
        a: 1,
        async *b() {
          yield await Promise.resolve({ b: 2 })
        },
      },
    })
    const client = connect(isSingle, schema)
    expect(await collect(client, '{ a }')).toEqual([{ data: { a: 1 } }])
    expect(await collect(client, 'subscription { b }')).toEqual([{ data: { b: 2 } }])
    expect(await collect(client, '{ nothing }')).toMatchObject([
      { errors: [{ message: 'Cannot query field "nothing" on type "Query".' }] },
    ])
  })

  test('end a subscription that the client cancels', async () => {
    const ended = vi.fn<() => void>()
    const endless = api.subscription('Count', ({ subscription, finalize }) => {
      finalize(ended)
      subscription.publish({ data: { count: 1 } })
    })
    const client = connect(isSingle, endless)
    expect(await collect(client, 'subscription Count { count }', 1)).toEqual([{ data: { count: 1 } }])
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })

  test('refuse an operation with the status that its handler gives', async () => {
    const refusing = api.query('GetUser', () => HttpResponse.json({ errors: [] }, { status: 403 }))
    const client = connect(isSingle, refusing)
    await expect(collect(client, 'query GetUser { user }')).rejects.toHaveProperty('response.status', 403)
  })
})

describe('a single connection', () => {
  test('is reserved once, opened, and used', async () => {
    const client = connect(true, user, numbers)
    const results = client.iterate({ query: 'subscription Count { count }' })
    await results.next()
    expect(requests).toEqual(['PUT', 'GET', 'POST'])
    await results.return?.()
    await vi.waitFor(() => expect(requests.at(-1)).toMatch(/^DELETE \?operationId=/))
  })

  const reserve = () => new Request(endpoint, { method: 'PUT' })
  const open = (token: string) => new Request(endpoint, { headers: { 'X-GraphQL-Event-Stream-Token': token } })

  test('is opened once, by a token in the header or in the URL', async () => {
    const token = (await (await getResponse([numbers], reserve()))?.text()) ?? ''
    const opened = await getResponse([numbers], new Request(`${endpoint}?token=${token}`))
    expect(opened?.headers.get('content-type')).toBe('text/event-stream')
    expect((await getResponse([numbers], open(token)))?.status).toBe(409)
    await opened?.body?.cancel()
    // The token is no longer valid after the connection has closed.
    expect(await getResponse([numbers], open(token))).toBeUndefined()
  })

  test('keeps results that arrive before it is opened', async () => {
    const token = (await (await getResponse([user], reserve()))?.text()) ?? ''
    const operation = { query: 'query GetUser { user }', extensions: { operationId: 'a' } }
    const accepted = await getResponse([user], post(operation, { 'X-GraphQL-Event-Stream-Token': token }))
    expect(accepted?.status).toBe(202)
    const reader = (await getResponse([user], open(token)))?.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('complete')) text += (await reader?.read())?.value ?? ''
    expect(text).toContain('event: next\ndata: {"id":"a","payload":{"data":{"user":"Ada"}}}')
    await reader?.cancel()
  })

  test('sends no results of a stopped operation', async () => {
    const endless = api.subscription('Endless', ({ subscription }) => subscription.publish({ data: {} }))
    const handlers = [user, endless]
    const token = (await (await getResponse(handlers, reserve()))?.text()) ?? ''
    const header = { 'X-GraphQL-Event-Stream-Token': token }
    const send = (query: string, operationId: string) =>
      getResponse(handlers, post({ query, extensions: { operationId } }, header))
    const reader = (await getResponse(handlers, open(token)))?.body?.pipeThrough(new TextDecoderStream()).getReader()
    await send('subscription Endless { a }', 'stopped')
    const stop = new Request(`${endpoint}?operationId=stopped`, { method: 'DELETE', headers: header })
    expect((await getResponse(handlers, stop))?.status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve))
    await send('query GetUser { user }', 'other')
    let text = ''
    while (!text.includes('event: complete\ndata: {"id":"other"}')) text += (await reader?.read())?.value ?? ''
    expect(text).not.toContain('event: complete\ndata: {"id":"stopped"}')
    await reader?.cancel()
  })

  test('takes no operation without an id', async () => {
    const token = (await (await getResponse([user], reserve()))?.text()) ?? ''
    const response = await getResponse(
      [user],
      post('query GetUser { user }', { 'X-GraphQL-Event-Stream-Token': token }),
    )
    expect(response?.status).toBe(400)
  })

  test('works only at endpoints: elsewhere, a PUT is an ordinary request', async () => {
    expect(await getResponse([graphql.operation(() => HttpResponse.json({}))], reserve())).toBeUndefined()
    expect(await getResponse([numbers], new Request('https://other.example.com', { method: 'PUT' }))).toBeUndefined()
    expect(await getResponse([numbers], new Request(endpoint, { method: 'PUT', body: '{}' }))).toBeUndefined()
  })
})
