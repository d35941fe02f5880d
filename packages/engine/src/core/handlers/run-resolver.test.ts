import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { HttpResponseResolver } from '../../http/http-resolver.ts'
import { http } from '../../http/http.ts'
import { cookieJarOf } from '../network/cookie-jar-of.ts'
import { handleRequest } from '../network/handle-request.ts'
import { Network } from '../network/network.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import { readUnhandledPolicy } from '../unhandled/unhandled-request.ts'
import type { Handler, HandlerOptions } from './request-handler.ts'

const url = 'https://app.test/user'

function create(...handlers: Handler[]): Network {
  return new Network(handlers, { unhandled: readUnhandledPolicy({ onUnhandledRequest: 'bypass' }) })
}

/** Returns the mocked response, or undefined. */
async function ask(network: Network, init?: RequestInit): Promise<Response | undefined> {
  const outcome = await handleRequest(new Request(url, init), network)
  return outcome.type === 'mocked' ? outcome.response : undefined
}

/** Returns the text of the response, or the name of another outcome. */
async function read(network: Network): Promise<string> {
  const outcome = await handleRequest(new Request(url), network)
  return outcome.type === 'mocked' ? outcome.response.text() : outcome.type
}

async function readTimes(network: Network, times: number): Promise<string[]> {
  const texts: string[] = []
  for (let count = 0; count < times; count += 1) texts.push(await read(network))
  return texts
}

const text = (body: string): Response => HttpResponse.text(body)

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a generator', () => {
  const get = (resolver: HttpResponseResolver, options?: HandlerOptions): Handler => http.get(url, resolver, options)

  it.each<[name: string, handler: () => Handler, answers: string[]]>([
    [
      'yields one response for each request, and repeats the last one',
      () =>
        get(function* () {
          yield text('1')
          yield text('2')
          return text('3')
        }),
      ['1', '2', '3', '3', '3'],
    ],
    [
      'repeats the last yielded response if it returns nothing',
      () =>
        get(function* () {
          yield text('1')
          yield text('2')
        }),
      ['1', '2', '2', '2'],
    ],
    [
      'may be asynchronous',
      () =>
        get(async function* () {
          await delay(1)
          yield text('1')
          await delay(1)
          return text('2')
        }),
      ['1', '2', '2'],
    ],
    [
      'may yield promises',
      () =>
        get(function* () {
          yield Promise.resolve(text('1'))
          return Promise.resolve(text('2'))
        }),
      ['1', '2', '2'],
    ],
    [
      'may be the result of a function',
      () =>
        get(async () => {
          await delay(1)
          return (function* () {
            yield text('1')
            yield text('2')
          })()
        }),
      ['1', '2', '2'],
    ],
    [
      'passes requests to the next handler if it yields undefined',
      () =>
        get(function* () {
          yield undefined
          yield text('2')
          yield
          return text('4')
        }),
      ['next', '2', 'next', '4', '4'],
    ],
    [
      'without any response passes all requests to the next handler',
      () =>
        get(function* () {
          yield* []
        }),
      ['next', 'next'],
    ],
    [
      'repeats passthrough()',
      () =>
        get(function* () {
          yield text('1')
          return passthrough()
        }),
      ['1', 'passthrough', 'passthrough', 'passthrough'],
    ],
    [
      'repeats a network error',
      () =>
        get(function* () {
          yield text('1')
          return HttpResponse.error()
        }),
      ['1', 'network-error', 'network-error'],
    ],
    [
      'of a `once` handler answers until it ends',
      () =>
        get(
          function* () {
            yield text('1')
            return text('2')
          },
          { once: true },
        ),
      ['1', '2', 'next', 'next'],
    ],
    [
      'ends by throwing a response',
      () =>
        get(function* () {
          yield text('1')
          throw text('2')
        }),
      ['1', '2', '2', '2'],
    ],
  ])('%s', async (_name, handler, answers) => {
    const network = create(
      handler(),
      http.get(url, () => text('next')),
    )
    expect(await readTimes(network, answers.length)).toEqual(answers)
  })

  it('ends by throwing an error, and repeats its last answer', async () => {
    const network = create(
      get(function* () {
        yield text('1')
        throw new Error('thrown')
      }),
    )
    const [first, second, third] = await readTimes(network, 3)
    expect([first, third]).toEqual(['1', '1'])
    expect(JSON.parse(second ?? '')).toMatchObject({ message: 'thrown' })
  })

  it('continues after a value that is not a response', async () => {
    const network = create(
      get(function* () {
        yield 'Ada' as never
        yield text('2')
      }),
    )
    const [first, second] = await readTimes(network, 2)
    expect(JSON.parse(first ?? '')).toMatchObject({
      message: expect.stringContaining('its resolver returned the string "Ada"') as string,
    })
    expect(second).toBe('2')
  })

  it.each<[name: string, resolver: HttpResponseResolver]>([
    [
      'synchronous',
      function* () {
        for (let count = 1; ; count += 1) yield text(String(count))
      },
    ],
    [
      'asynchronous',
      async function* () {
        for (let count = 1; ; count += 1) {
          // The first one takes longest, but responses keep the order of the requests.
          await delay(10 / count)
          yield text(String(count))
        }
      },
    ],
    [
      'made by an asynchronous function',
      async () => {
        await delay(1)
        return (function* () {
          for (let count = 1; ; count += 1) yield text(String(count))
        })()
      },
    ],
  ])('that is %s gives requests at once an answer each, in their order', async (_name, resolver) => {
    const network = create(get(resolver))
    expect(await Promise.all([read(network), read(network), read(network)])).toEqual(['1', '2', '3'])
    expect(await read(network)).toBe('4')
  })

  it('of a `once` handler gives each response to one of several concurrent requests', async () => {
    const network = create(
      get(
        async function* () {
          yield text('1')
          return text('2')
        },
        { once: true },
      ),
      http.get(url, () => text('next')),
    )
    expect(await Promise.all([1, 2, 3, 4].map(() => read(network)))).toEqual(['1', '2', 'next', 'next'])
  })

  it('gets the request that started it', async () => {
    const network = create(
      http.all(url, function* ({ request }) {
        for (;;) yield text(request.method)
      }),
    )
    await ask(network, { method: 'POST' })
    expect(await read(network)).toBe('POST')
  })
})

describe('finalize', () => {
  /** A handler that records the end of its request. */
  function noting(answer: () => Response | undefined | Promise<Response | undefined>): [Handler, string[]] {
    const ended: string[] = []
    const handler = http.get(url, ({ finalize }) => {
      finalize(() => ended.push('first'))
      finalize(() => ended.push('last'))
      return answer()
    })
    return [handler, ended]
  }

  function stream(...parts: string[]): Response {
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const part = parts.shift()
        if (part === undefined) controller.close()
        else controller.enqueue(encoder.encode(part))
      },
    })
    return new HttpResponse(body, { status: 201, headers: { 'X-A': 'b' } })
  }

  it('runs the functions in reverse order, after the body was read to its end', async () => {
    const [handler, ended] = noting(() => stream('a', 'b'))
    const response = await ask(create(handler))
    expect([response?.status, response?.statusText, response?.headers.get('X-A')]).toEqual([201, 'Created', 'b'])
    const reader = response?.body?.getReader()
    await reader?.read()
    await reader?.read()
    expect(ended).toEqual([])
    expect((await reader?.read())?.done).toBe(true)
    await vi.waitFor(() => expect(ended).toEqual(['last', 'first']))
  })

  it('runs when the reader of the body cancels it', async () => {
    const cancelled = vi.fn<(reason: unknown) => void>()
    const [handler, ended] = noting(() => new Response(new ReadableStream({ cancel: (reason) => cancelled(reason) })))
    const response = await ask(create(handler))
    await response?.body?.cancel('enough')
    expect(ended).toEqual(['last', 'first'])
    expect(cancelled).toHaveBeenCalledExactlyOnceWith('enough')
  })

  it('runs when the body fails', async () => {
    const broken = new ReadableStream({
      pull() {
        throw new Error('broken')
      },
    })
    const [handler, ended] = noting(() => new Response(broken))
    const response = await ask(create(handler))
    await expect(response?.text()).rejects.toBeInstanceOf(Error)
    expect(ended).toEqual(['last', 'first'])
  })

  it('keeps the cookies of the response', async () => {
    const [handler] = noting(() => HttpResponse.text('', { headers: { 'Set-Cookie': 'a=1' } }))
    const network = create(handler)
    await ask(network, { credentials: 'include' })
    expect(cookieJarOf(network).headerFor(new Request(url, { credentials: 'include' }))).toBe('a=1')
  })

  it.each<[name: string, answer: () => Response | undefined | Promise<undefined>]>([
    ['there is no body', () => new HttpResponse(null, { status: 204 })],
    ['the request fails', () => HttpResponse.error()],
    ['the request passes through', () => passthrough()],
    ['no handler answers', () => undefined],
    ['the resolver throws', () => Promise.reject(new Error('thrown'))],
  ])('runs at once where %s', async (_name, answer) => {
    const [handler, ended] = noting(answer)
    await ask(create(handler))
    expect(ended).toEqual(['last', 'first'])
  })

  it('runs after the response of a later handler', async () => {
    const [handler, ended] = noting(() => undefined)
    const response = await ask(
      create(
        handler,
        http.get(url, () => text('next')),
      ),
    )
    expect(ended).toEqual([])
    await response?.text()
    await vi.waitFor(() => expect(ended).toEqual(['last', 'first']))
  })

  it('runs when the request is aborted while the resolver waits', async () => {
    const [handler, ended] = noting(async () => {
      await delay('infinite')
      return undefined
    })
    const controller = new AbortController()
    const response = ask(create(handler), { signal: controller.signal })
    await vi.waitFor(() => expect(handler.isUsed).toBe(true))
    controller.abort()
    await response
    expect(ended).toEqual(['last', 'first'])
  })

  it('runs when the request is aborted while the body is sent', async () => {
    const [handler, ended] = noting(() => stream('a', 'b'))
    const controller = new AbortController()
    const request = new Request(url, { signal: controller.signal })
    await handleRequest(request, create(handler))
    controller.abort()
    expect(request.signal.aborted).toBe(true)
    expect(ended).toEqual(['last', 'first'])
  })

  it('runs a finalizer at once if finalize() is called after the request was aborted', async () => {
    const controller = new AbortController()
    const { promise: going, resolve: go } = Promise.withResolvers<void>()
    const cleanup = vi.fn<() => void>()
    const handler = http.get(url, async ({ finalize }) => {
      await going
      finalize(cleanup)
      finalize(cleanup)
    })
    const response = ask(create(handler), { signal: controller.signal })
    await vi.waitFor(() => expect(handler.isUsed).toBe(true))
    controller.abort()
    await response
    go()
    await vi.waitFor(() => expect(cleanup).toHaveBeenCalledTimes(2))
  })

  it.each<[name: string, cleanup: () => unknown]>([
    [
      'at once',
      () => {
        throw new Error('of the cleanup')
      },
    ],
    ['later', () => Promise.reject(new Error('of the cleanup'))],
    ['later, by a promise of another realm', () => rejectInAnotherRealm(new Error('of the cleanup'))],
  ])('reports a function that throws %s, and runs the others', async (_name, cleanup) => {
    const other = vi.fn<() => void>()
    const network = create(
      http.get(url, ({ finalize }) => {
        finalize(other)
        finalize(cleanup)
        return new HttpResponse()
      }),
    )
    await ask(network)
    expect(other).toHaveBeenCalledOnce()
    await vi.waitFor(() =>
      expect(console.error).toHaveBeenCalledExactlyOnceWith(
        '[understudy] Failed to finalize a request: the function passed to finalize() threw. See the error. (US0216)',
        new Error('of the cleanup'),
      ),
    )
  })

  it('starts asynchronous functions in the reverse of their order, and waits for none of them', async () => {
    const steps: string[] = []
    let end = (): void => {}
    const ending = new Promise<void>((resolve) => (end = resolve))
    const network = create(
      http.get(url, ({ finalize }) => {
        finalize(() => steps.push('first given'))
        finalize(async () => {
          steps.push('last given, started')
          await ending
          steps.push('last given, ended')
        })
        return new HttpResponse()
      }),
    )
    await ask(network)
    expect(steps).toEqual(['last given, started', 'first given'])
    end()
    await vi.waitFor(() => expect(steps.at(-1)).toBe('last given, ended'))
  })

  it("of a generator runs when it has ended, and not with each request's answer", async () => {
    const ended: string[] = []
    const network = create(
      http.get(url, async function* ({ finalize }) {
        finalize(() => ended.push('generator'))
        yield text('1')
        yield text('2')
      }),
    )
    expect(await readTimes(network, 2)).toEqual(['1', '2'])
    expect(ended).toEqual([])
    expect(await read(network)).toBe('2')
    expect(ended).toEqual(['generator'])
  })

  it('of a generator runs when it throws', async () => {
    const ended: string[] = []
    const network = create(
      http.get(url, function* ({ finalize }) {
        finalize(() => ended.push('generator'))
        yield text(decodeURIComponent('%'))
      }),
    )
    await read(network)
    expect(ended).toEqual(['generator'])
  })

  it('of a generator runs when its handler is removed', async () => {
    const ended: string[] = []
    const network = create()
    network.layers.use([
      http.get(url, function* ({ finalize }) {
        finalize(() => ended.push('generator'))
        for (;;) yield text('1')
      }),
    ])
    await read(network)
    expect(ended).toEqual([])
    network.layers.reset()
    expect(ended).toEqual(['generator'])
  })

  it('of a function that makes a generator runs with the generator', async () => {
    const ended: string[] = []
    const network = create(
      http.get(url, async ({ finalize }) => {
        finalize(() => ended.push('generator'))
        await delay(1)
        return (function* () {
          yield text('1')
          return text('2')
        })()
      }),
    )
    expect(await read(network)).toBe('1')
    expect(ended).toEqual([])
    expect(await read(network)).toBe('2')
    expect(ended).toEqual(['generator'])
  })
})

/** A promise of another realm, such as a frame or jsdom: not an instance of this realm's `Promise`. */
function rejectInAnotherRealm(error: Error): object {
  const own: object = Object.getOwnPropertyDescriptors(Promise.prototype)
  return Object.setPrototypeOf(Promise.reject(error), Object.create(Object.prototype, own as never)) as object
}
