import { describe, expect, test, vi } from 'vitest'

import { readUnhandledPolicy } from '../core/unhandled/unhandled-request.ts'
import { graphql, http, HttpResponse, passthrough } from '../index.ts'
import { isRequest } from './shared-data.ts'
import { ask, baseUrl, handlerAt, idAt, inspected, read, resolve, start } from './testing/inspect-network.ts'

describe('the requests', () => {
  test('are listed with their outcome, the newest first', async () => {
    start([
      http.get('/user/:id', () => HttpResponse.json({}, { status: 201, statusText: 'Made Up' })),
      http.get('/error', () => HttpResponse.error()),
      http.get('/thrown', () => Promise.reject(new Error('Boom'))),
      http.get('/passed', () => passthrough()),
      graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
    ])
    const before = Date.now()
    await ask('/user/5?full')
    await ask('/error')
    await ask('/thrown')
    await ask('/passed')
    await ask('/graphql?query=query+GetUser+{a}')
    await ask('/users/5', { method: 'POST' })
    const { requests, handlers } = inspected.inspection.snapshot()
    const header = (index: number): object => ({ id: handlers[index]?.id, header: handlers[index]?.header })
    const unknown = {
      name: null,
      status: null,
      statusText: null,
      error: null,
      thrown: null,
      forced: null,
      noResponse: [],
      matchedAfter: null,
      respondedAfter: null,
      handler: null,
      nearest: [],
      suggestion: null,
    }
    const common = {
      id: expect.any(String),
      method: 'GET',
      startedAt: expect.any(Number),
      duration: expect.any(Number),
    }
    const at = (path: string): string => new URL(path, baseUrl).href
    expect(requests).toEqual([
      {
        ...unknown,
        ...common,
        method: 'POST',
        url: at('/users/5'),
        outcome: 'unhandled',
        suggestion: "http.post('/users/:id', () => HttpResponse.json({})),",
        nearest: [
          {
            id: handlers[0]?.id,
            header: 'GET /user/:id',
            difference: 'segment 1 differs: `user` expected, `users` sent; method differs: GET expected, POST sent',
          },
        ],
      },
      {
        ...unknown,
        ...common,
        url: at('/graphql?query=query+GetUser+{a}'),
        name: 'query GetUser',
        outcome: 'mocked',
        status: 200,
        statusText: 'OK',
        matchedAfter: expect.any(Number),
        handler: header(4),
      },
      {
        ...unknown,
        ...common,
        url: at('/passed'),
        outcome: 'passthrough',
        matchedAfter: expect.any(Number),
        handler: header(3),
      },
      {
        ...unknown,
        ...common,
        url: at('/thrown'),
        outcome: 'mocked',
        status: 500,
        statusText: 'Internal Server Error',
        matchedAfter: expect.any(Number),
        thrown: { name: 'Error', message: 'Boom', stack: expect.stringContaining('inspected-requests.test.ts') },
        handler: header(2),
      },
      {
        ...unknown,
        ...common,
        url: at('/error'),
        outcome: 'network-error',
        error: expect.stringContaining('answers with a network error'),
        matchedAfter: expect.any(Number),
        handler: header(1),
      },
      {
        ...unknown,
        ...common,
        url: at('/user/5?full'),
        outcome: 'mocked',
        status: 201,
        statusText: 'Made Up',
        matchedAfter: expect.any(Number),
        handler: header(0),
      },
    ])
    expect(requests.at(-1)?.startedAt).toBeGreaterThanOrEqual(before)
  })

  test('keep the handler that answered, even if it was removed', async () => {
    start([])
    inspected.network.layers.use([http.get('/user', resolve)])
    const id = idAt(0)
    await ask('/user')
    inspected.network.layers.reset()
    expect(inspected.inspection.snapshot()).toMatchObject({
      handlers: [],
      requests: [{ handler: { id, header: 'GET /user' } }],
    })
  })

  test('are logged while they are pending, with the handler that runs', async () => {
    let answer: (response: Response) => void = () => {}
    start([http.get('/slow', () => new Promise<Response>((resolveNow) => (answer = resolveNow)))])
    const outcome = ask('/slow')
    await expect
      .poll(() => inspected.inspection.snapshot().requests)
      .toMatchObject([
        { outcome: 'pending', duration: null, status: null, handler: { id: idAt(0), header: 'GET /slow' } },
      ])
    const [{ id } = { id: '' }] = inspected.inspection.snapshot().requests
    expect(inspected.inspection.headers(id)).toEqual({ request: [], response: null })
    answer(HttpResponse.text('done', { status: 202 }))
    await outcome
    expect(inspected.inspection.snapshot().requests).toMatchObject([{ id, outcome: 'mocked', status: 202 }])
  })

  test('say that the client aborted them, with its reason', async () => {
    start([http.get('/slow', () => new Promise<Response>(() => {}))])
    const controller = new AbortController()
    const outcome = ask('/slow', { signal: controller.signal })
    await expect.poll(() => inspected.inspection.snapshot().requests[0]?.handler).not.toBe(null)
    controller.abort(new Error('The user left the page.'))
    await outcome
    expect(inspected.inspection.snapshot().requests).toMatchObject([
      { outcome: 'network-error', error: 'The user left the page.', handler: null },
    ])
  })

  test('keep their place in the order in which they started', async () => {
    let answer: (response: Response) => void = () => {}
    start([
      http.get('/slow', () => new Promise<Response>((resolveNow) => (answer = resolveNow))),
      http.get('/user', resolve),
    ])
    const outcome = ask('/slow')
    await ask('/user')
    answer(new HttpResponse())
    await outcome
    expect(inspected.inspection.snapshot().requests.map(({ url }) => new URL(url).pathname)).toEqual(['/user', '/slow'])
  })

  test('name the handlers that returned no response, and the handler that answered', async () => {
    start([http.get('/user', () => undefined), http.get('/:any', () => undefined), http.get('*', resolve)])
    await ask('/user')
    expect(inspected.inspection.snapshot().requests).toMatchObject([
      {
        outcome: 'mocked',
        handler: { id: idAt(2) },
        noResponse: [
          { id: idAt(0), header: 'GET /user' },
          { id: idAt(1), header: 'GET /:any' },
        ],
      },
    ])
  })

  test('contain each operation of a batch that no handler matched, in addition to the batch', async () => {
    start([graphql.query('GetUser', () => HttpResponse.json({ data: {} }))])
    inspected.inspection.keepBodies()
    const body = JSON.stringify(['GetUser', 'GetPosts', 'GetUsers'].map((name) => ({ query: `query ${name} { a }` })))
    const headers = { 'content-type': 'application/json' }
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json([{}, {}])))
    await ask('/graphql', { method: 'POST', body, headers })
    const requests = inspected.inspection.snapshot().requests.toReversed()
    const [batch, posts, users] = requests
    expect(requests).toMatchObject([
      { outcome: 'mocked', suggestion: null, name: 'batch query GetUser, query GetPosts, query GetUsers' },
      {
        outcome: 'unhandled',
        name: 'query GetPosts',
        partOf: batch?.id,
        suggestion: expect.stringContaining('GetPosts'),
      },
      { outcome: 'unhandled', name: 'query GetUsers', nearest: [{ header: 'query GetUser' }] },
    ])
    expect(new Set(requests.map(({ id }) => id)).size).toBe(3)
    await expect
      .poll(() => inspected.inspection.bodies(posts!.id).request?.text)
      .toBe(JSON.stringify({ query: 'query GetPosts { a }' }))
    expect(inspected.inspection.headers(users!.id)?.request).toContainEqual(['content-type', 'application/json'])
    expect(requests.every(isRequest)).toBe(true)
    vi.unstubAllGlobals()
  })

  test('contain no operations of a batch if no handler matched any, and fail them by the policy', async () => {
    start([graphql.query('GetUser', () => HttpResponse.json({ data: {} }))])
    const headers = { 'content-type': 'application/json' }
    const send = (names: readonly string[]): Promise<unknown> =>
      ask('/graphql', {
        method: 'POST',
        body: JSON.stringify(names.map((name) => ({ query: `query ${name} { a }` }))),
        headers,
      })
    await send(['A', 'B'])
    expect(inspected.inspection.snapshot().requests).toMatchObject([{ outcome: 'unhandled' }])
    inspected.inspection.clear()
    inspected.network.unhandled = readUnhandledPolicy({ onUnhandledRequest: 'error' })
    await send(['GetUser', 'B'])
    expect(inspected.inspection.snapshot().requests).toMatchObject([
      { outcome: 'network-error', name: 'query B', error: expect.stringContaining('no handler matches') },
      { outcome: 'network-error' },
    ])
  })

  test('name the operations of a batch, and the errors of a batch and of an anonymous operation', async () => {
    start([
      graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
      graphql.operation(() => HttpResponse.json({ errors: [{ message: 'Gone' }] })),
    ])
    inspected.inspection.keepBodies()
    const post = async (body: unknown): Promise<unknown> =>
      read('/graphql', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    await post([{ query: 'query GetUser { a }' }, { query: 'mutation Save { b }' }])
    await post({ query: '{ a }' })
    await expect
      .poll(() => inspected.inspection.snapshot().requests)
      .toMatchObject([
        { name: 'an anonymous query', graphqlErrors: ['Gone'] },
        { name: 'batch query GetUser, mutation Save', graphqlErrors: ['Gone'] },
      ])
  })

  test('have no stack of a thrown value that is not an error', async () => {
    start([
      http.get('/user', () => {
        throw 'no seats' as unknown as Error
      }),
    ])
    await ask('/user')
    expect(inspected.inspection.snapshot().requests[0]?.thrown).toEqual({
      name: 'Error',
      message: 'no seats',
      stack: undefined,
    })
  })

  test('keep the override of the handler that answered', async () => {
    start([http.get('/user', resolve)])
    inspected.inspection.override(idAt(0), { status: 503 })
    await ask('/user')
    inspected.inspection.override(idAt(0), null)
    await ask('/user')
    expect(inspected.inspection.snapshot().requests.map(({ forced }) => forced)).toEqual([null, { status: 503 }])
  })

  test('mark an edited response, without the edited text', async () => {
    start([http.get('/user', resolve)])
    inspected.inspection.override(idAt(0), { status: 202, headers: [['x-edited', 'yes']], body: 'edited' })
    expect(handlerAt(0).override).toEqual({ status: 202, headers: [['x-edited', 'yes']], body: 'edited' })
    expect(await read('/user')).toBe('202 edited')
    const [request] = inspected.inspection.snapshot().requests
    expect(request?.forced).toEqual({ status: 202, isEdited: true })
    expect(inspected.inspection.headers(request?.id ?? '')?.response).toEqual([['x-edited', 'yes']])
    expect(() => structuredClone(inspected.inspection.snapshot())).not.toThrow()
    expect(() => inspected.inspection.override(idAt(0), { headers: [['not a name', '']] })).toThrow(
      'Failed to override a handler: its headers are not valid.',
    )
    inspected.inspection.reset()
    expect(await read('/user')).toBe('200 {"name":"Ada"}')
  })

  test('that reach the network have their response while bodies are kept', async () => {
    start([http.get('/user', () => passthrough())])
    const end = inspected.inspection.keepBodies()
    const outcome = await ask('/user')
    const answerOfNetwork = new Response('{"real":true}', {
      status: 418,
      headers: { 'content-type': 'application/json', 'x-real': 'yes' },
    })
    if (outcome.type === 'passthrough') outcome.onResponse?.(answerOfNetwork.clone())
    expect(inspected.inspection.snapshot().requests).toMatchObject([
      { outcome: 'passthrough', status: 418, respondedAfter: expect.any(Number) },
    ])
    const [{ id } = { id: '' }] = inspected.inspection.snapshot().requests
    expect(inspected.inspection.headers(id)?.response).toContainEqual(['x-real', 'yes'])
    await expect.poll(() => inspected.inspection.bodies(id).response?.text).toBe('{"real":true}')
    end()
    const later = await ask('/user')
    expect(later.type === 'passthrough' && later.onResponse).toBe(undefined)
  })

  test('of assets have no nearest handlers', async () => {
    start([http.get('/logos.svg', resolve)])
    await ask('/logo.svg')
    expect(inspected.inspection.snapshot().requests).toMatchObject([{ outcome: 'unhandled', nearest: [] }])
  })

  test('are limited to the last 500', async () => {
    start([])
    for (let index = 0; index < 505; index += 1) await ask(`/user/${index}`)
    const { requests } = inspected.inspection.snapshot()
    expect([requests.length, requests[0]?.url, requests.at(-1)?.url]).toEqual([
      500,
      `${baseUrl}user/504`,
      `${baseUrl}user/5`,
    ])
  })

  test('that were aborted show the reason', async () => {
    start([http.get('/slow', () => new Promise<Response>(() => {}))])
    const controller = new AbortController()
    const outcome = ask('/slow', { signal: controller.signal })
    controller.abort(new RangeError('enough'))
    await outcome
    expect(inspected.inspection.snapshot().requests).toMatchObject([{ outcome: 'network-error', error: 'enough' }])
  })
})
