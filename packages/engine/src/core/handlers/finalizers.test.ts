import { describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { cookieJarOf } from '../network/cookie-jar-of.ts'
import { handleRequest } from '../network/handle-request.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import type { Handler } from './request-handler.ts'
import { ask, create, read, readTimes, text, url } from './testing/ask-network.ts'

/** A promise of another realm, such as a frame or jsdom: not an instance of this realm's `Promise`. */
function rejectInAnotherRealm(error: Error): object {
  const own: object = Object.getOwnPropertyDescriptors(Promise.prototype)
  return Object.setPrototypeOf(Promise.reject(error), Object.create(Object.prototype, own as never)) as object
}

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

  it('runs when the resolver itself aborts the request, and it answers nothing', async () => {
    const controller = new AbortController()
    const cleanup = vi.fn<() => void>()
    const handler = http.get(url, ({ finalize }) => {
      finalize(cleanup)
      controller.abort()
      expect(cleanup).toHaveBeenCalledOnce()
      return HttpResponse.text('too late')
    })
    const request = new Request(url, { signal: controller.signal })
    const outcome = await handleRequest(request, create(handler))
    expect(outcome).toEqual({ type: 'network-error', error: request.signal.reason as unknown })
    expect(cleanup).toHaveBeenCalledOnce()
  })

  it.each([true, false])('runs if finalize() is called later, before the request is aborted: %s', async (isBefore) => {
    const controller = new AbortController()
    const cleanup = vi.fn<() => void>()
    let later: ((added: () => void) => void) | undefined
    const handler = http.get(url, ({ finalize }) => {
      later = finalize
      return stream('a', 'b')
    })
    const request = new Request(url, { signal: controller.signal })
    await handleRequest(request, create(handler))
    const steps = [() => later?.(cleanup), () => controller.abort()]
    for (const step of isBefore ? steps : steps.toReversed()) {
      expect(cleanup).not.toHaveBeenCalled()
      step()
    }
    expect(request.signal.aborted).toBe(true)
    expect(cleanup).toHaveBeenCalledOnce()
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
