import { EventEmitter } from 'node:events'

import { describe, expect, test, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { graphql } from '../graphql/graphql.ts'
import { HttpHandler } from '../http/http-handler.ts'
import { http } from '../http/http.ts'
import { handleRequest, type HandlersExecutionResult } from './handle-request.ts'
import { onUnhandledRequest } from './on-unhandled-request.ts'
import { SetupApi } from './setup-api.ts'

const handlers = [
  http.get('/user', () => HttpResponse.json({ name: 'Ada' })),
  http.get('/through', () => passthrough()),
  http.get('/broken', () => HttpResponse.error()),
]

function handle(path: string, strategy: 'bypass' | 'error' = 'bypass', emitter = new EventEmitter()) {
  const calls: string[] = []
  const response = handleRequest(
    new Request(`http://localhost${path}`),
    'abc',
    handlers,
    { onUnhandledRequest: strategy },
    emitter,
    {
      resolutionContext: { baseUrl: 'http://localhost' },
      onMockedResponse: ({ status }, { handler }) => void calls.push(`mocked ${status} ${handler.info.header}`),
      onPassthroughResponse: ({ url }) => void calls.push(`passed ${new URL(url).pathname}`),
    },
  )
  return { response, calls }
}

describe('handleRequest', () => {
  test('passes the handler and what it parsed to onMockedResponse', async () => {
    const parses: string[] = []
    class Own extends HttpHandler {
      override parse({ request }: { request: Request }): Promise<unknown> {
        parses.push(request.url)
        return Promise.resolve({ match: { matches: true, params: {} }, cookies: {}, own: 1 })
      }
    }
    const asked: string[] = []
    const user = http.get('/user/:id', () => HttpResponse.json({}))
    const broken = http.get('/broken', () => HttpResponse.error())
    const byPredicate = http.get(
      ({ request }) => {
        asked.push(request.url)
        return { matches: request.url.endsWith('/predicate'), params: { by: 'predicate' } }
      },
      () => new HttpResponse('ok'),
    )
    const throwing = http.get(
      ({ request }) => {
        if (request.url.endsWith('/throws')) throw new Error('mine')
        return false
      },
      () => undefined,
    )
    const list = [
      throwing,
      http.get('/user/:other', () => undefined),
      user,
      broken,
      byPredicate,
      graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
      new Own('GET', '/own', () => new HttpResponse('own')),
    ]
    const results: HandlersExecutionResult[] = []
    const send = async (url: string, init?: RequestInit): Promise<HandlersExecutionResult> => {
      const response = await handleRequest(new Request(url, init), 'abc', list, {}, new EventEmitter(), {
        resolutionContext: { baseUrl: 'http://localhost' },
        onMockedResponse: (given, result) => {
          expect(result.response).toBe(given)
          results.push(result)
        },
      })
      const result = results.pop()!
      expect(results).toEqual([])
      expect(result.response).toBe(response)
      return result
    }

    const answered = await send('http://localhost/user/5', { headers: { cookie: 'a=1' } })
    expect(answered.handler).toBe(user)
    expect(answered.parsedResult).toEqual({ match: { matches: true, params: { id: '5' } }, cookies: { a: '1' } })
    expect((await send('http://localhost/broken')).handler).toBe(broken)

    asked.length = 0
    const predicted = await send('http://localhost/predicate')
    expect(predicted.handler).toBe(byPredicate)
    expect(predicted.parsedResult.match).toEqual({ matches: true, params: { by: 'predicate' } })
    expect(asked).toHaveLength(1)

    const own = await send('http://localhost/own')
    expect(own.parsedResult['own']).toBe(1)
    expect(parses).toEqual(['http://localhost/own'])

    // A handler that answers without a match.
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const thrown = await send('http://localhost/throws')
    printed.mockRestore()
    expect(thrown.handler).toBe(throwing)
    expect(thrown.response.status).toBe(500)
    expect(thrown.parsedResult.match).toEqual({ matches: false, params: {} })

    const { parsedResult } = await send('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query GetUser { user }', variables: { id: 5 } }),
    })
    expect(parsedResult).toMatchObject({
      match: { matches: true },
      operationName: 'GetUser',
      operationType: 'query',
      variables: { id: 5 },
    })
  })

  test('returns the response of a handler, and calls onMockedResponse', async () => {
    const emitter = new EventEmitter()
    const events: unknown[] = []
    emitter.on('request:start', ({ requestId }: { requestId: string }) => events.push(['start', requestId]))
    emitter.on('request:match', ({ requestId }: { requestId: string }) => events.push(['match', requestId]))
    const { response, calls } = handle('/user', 'bypass', emitter)
    expect(await (await response)?.json()).toEqual({ name: 'Ada' })
    expect(calls).toEqual(['mocked 200 GET /user'])
    expect(events).toEqual([
      ['start', 'abc'],
      ['match', 'abc'],
    ])
  })

  test('returns nothing for a passthrough request', async () => {
    for (const path of ['/through', '/nowhere']) {
      const { response, calls } = handle(path)
      expect(await response).toBeUndefined()
      expect(calls).toEqual([`passed ${path}`])
    }
  })

  test('distinguishes a network error from an unhandled request', async () => {
    expect((await handle('/broken').response)?.type).toBe('error')
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    await expect(handle('/nowhere', 'error').response).rejects.toThrow(
      /^Failed to answer GET http:\/\/localhost\/nowhere/,
    )
    expect(printed).toHaveBeenCalledOnce()
    printed.mockRestore()
  })
})

test('onUnhandledRequest applies the strategy', async () => {
  const request = new Request('http://localhost/nowhere')
  const printed = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await onUnhandledRequest(request, 'bypass')
  expect(printed).not.toHaveBeenCalled()
  await onUnhandledRequest(request)
  expect(printed.mock.calls[0]?.[0]).toContain('No handler matches GET http://localhost/nowhere')
  printed.mockRestore()
  await expect(
    onUnhandledRequest(request, () => {
      throw new Error('mine')
    }),
  ).rejects.toThrow('mine')
})

test('onUnhandledRequest works on an insecure origin, which has no `crypto.randomUUID`', async () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  try {
    await expect(onUnhandledRequest(new Request('http://localhost/nowhere'), 'bypass')).resolves.toBeUndefined()
  } finally {
    vi.unstubAllGlobals()
  }
})

test('SetupApi has handlers and events for a class that extends it', async () => {
  class Own extends SetupApi {
    answer(request: Request): Promise<Response | undefined> {
      return handleRequest(request, 'abc', this.handlersController.currentHandlers(), {}, this.emitter)
    }
  }
  const own = new Own(...handlers)
  const urls: string[] = []
  own.events.on('request:start', ({ request }) => urls.push(request.url))
  expect(own.listHandlers()).toEqual(handlers)
  own.use(http.get('*/user', () => HttpResponse.json({ name: 'Bob' })))
  const request = new Request('http://localhost/user')
  expect(await (await own.answer(request))?.json()).toEqual({ name: 'Bob' })
  expect(urls).toEqual(['http://localhost/user'])
  own.resetHandlers()
  expect(own.listHandlers()).toEqual(handlers)
  own.dispose()
  await own.answer(new Request('http://localhost/user.png'))
  expect(urls).toHaveLength(1)
  expect(() => new Own({} as never)).toThrow(/^Failed to reset handlers: /)
})
