import { afterEach, describe, expect, test, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { handleRequest } from '../network/handle-request.ts'
import type { LifeCycleEventName, LifeCycleListener } from '../network/life-cycle-events.ts'
import { Network } from '../network/network.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { readUnhandledPolicy, type UnhandledRequestCallback } from './unhandled-request.ts'

const url = 'https://example.com/user?id=5'

afterEach(() => {
  vi.restoreAllMocks()
})

/** The properties of an MSW 1 request that callbacks read. */
interface OlderRequest {
  id: string
  method: string
  url: URL
  headers: Headers
}

describe('listeners written for MSW 1', () => {
  /** Returns the result of a listener for one request. */
  async function listen(name: LifeCycleEventName, listener: (...args: never) => unknown): Promise<unknown> {
    let told: unknown
    const network = new Network([
      http.get('*/user', () => HttpResponse.text('Ada', { status: 201 })),
      http.get('*/broken', () => {
        throw new Error('Boom')
      }),
    ])
    const path = name === 'unhandledException' ? url.replace('user', 'broken') : url
    const { length } = listener
    const spy = (...args: never[]): void => {
      told = listener(...(args as never))
    }
    Object.defineProperty(spy, 'length', { value: length })
    network.events.on(name, spy as LifeCycleListener<typeof name>)
    await handleRequest(new Request(path, { headers: { 'X-Test': '1' } }), network, 'the-id')
    return told
  }

  test.each(['request:start', 'request:match', 'request:end'] as const)('%s: (req)', async (name) => {
    const listener = (req: OlderRequest) => [req.id, req.method, req.url.pathname, req.headers.get('x-test')]
    expect(await listen(name, listener)).toEqual(['the-id', 'GET', '/user', '1'])
  })

  test('response:mocked: (response, requestId)', async () => {
    const listener = (response: Response, requestId: string) => [response.status, requestId]
    expect(await listen('response:mocked', listener)).toEqual([201, 'the-id'])
  })

  test('unhandledException: (error, request)', async () => {
    const listener = (error: Error, req: Request) => [error.message, req.url]
    expect(await listen('unhandledException', listener)).toEqual(['Boom', 'https://example.com/broken?id=5'])
  })

  test('current listeners get no additional members', async () => {
    const listener = (event: object) => Object.keys(event).sort()
    expect(await listen('request:start', listener)).toEqual(['request', 'requestId', 'type'])
  })
})

describe('onUnhandledRequest written for MSW 1', () => {
  /** Returns the result of a callback for one request. */
  async function ask(callback: (...args: never) => unknown): Promise<unknown> {
    const onUnhandledRequest = callback as UnhandledRequestCallback
    const network = new Network([], { unhandled: readUnhandledPolicy({ onUnhandledRequest }) })
    const outcome = await handleRequest(new Request(url, { method: 'POST', body: 'text' }), network, 'the-id')
    return outcome.type === 'network-error' ? outcome.error : outcome.type
  }

  test('req.url is a URL', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const told: unknown[] = []
    const callback = async (req: OlderRequest & Request, print: { warning(): void }) => {
      told.push(req.id, req.method, req.url.pathname, (req.url as URL).searchParams.get('id'), await req.text())
      print.warning()
    }
    expect(await ask(callback)).toBe('unhandled')
    expect(told).toEqual(['the-id', 'POST', '/user', '5', 'text'])
    expect(warn.mock.calls[0]?.[0]).toContain('No handler matches POST')
  })

  test('request.url is a string for all other callbacks', async () => {
    const told: unknown[] = []
    const callback = (request: Request) => {
      told.push(request.url, new URL(request.url).pathname, request.url.search(/user/))
    }
    expect(await ask(callback)).toBe('unhandled')
    expect(told).toEqual([url, '/user', 20])
  })

  test('throwing fails the request', async () => {
    const callback = (req: OlderRequest) => {
      if (req.url.href.includes('user')) throw new Error('Mock it')
    }
    expect(await ask(callback)).toEqual(new Error('Mock it'))
  })
})
