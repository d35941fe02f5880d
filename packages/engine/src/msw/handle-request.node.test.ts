import { EventEmitter } from 'node:events'

import { describe, expect, test, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { passthrough } from '../core/responses/passthrough.ts'
import { http } from '../http/http.ts'
import { handleRequest } from './handle-request.ts'
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
      onMockedResponse: ({ status }) => void calls.push(`mocked ${status}`),
      onPassthroughResponse: ({ url }) => void calls.push(`passed ${new URL(url).pathname}`),
    },
  )
  return { response, calls }
}

describe('handleRequest', () => {
  test('returns the response of a handler, and calls onMockedResponse', async () => {
    const emitter = new EventEmitter()
    const events: unknown[] = []
    emitter.on('request:start', ({ requestId }: { requestId: string }) => events.push(['start', requestId]))
    emitter.on('request:match', ({ requestId }: { requestId: string }) => events.push(['match', requestId]))
    const { response, calls } = handle('/user', 'bypass', emitter)
    expect(await (await response)?.json()).toEqual({ name: 'Ada' })
    expect(calls).toEqual(['mocked 200'])
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
