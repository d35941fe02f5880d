import { describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { bypass } from '../responses/bypass.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import { ClientAbort } from './client-abort.ts'
import { cookieJarOf } from './cookie-jar-of.ts'
import { handleRequest } from './handle-request.ts'
import type { LifeCycleEvent } from './life-cycle-events.ts'
import { Network } from './network.ts'
import { ask, create, read, url } from './testing/ask-network.ts'

describe('events', () => {
  /** Records the data of each event, whose listeners read request and response. */
  async function record(network: Network, request: Request): Promise<string[]> {
    const heard: Promise<string>[] = []
    const note = async (event: LifeCycleEvent<'*'>): Promise<string> => {
      const { request: asked, response, error } = event as { request?: Request; response?: Response; error?: Error }
      const parts = [await asked?.text(), await response?.text(), error?.message]
      return `${event.type}: ${parts.filter((part) => part !== undefined).join(', ')}`
    }
    for (const name of [
      'request:start',
      'request:match',
      'request:unhandled',
      'request:end',
      'response:mocked',
      'response:bypass',
      'unhandledException',
    ] as const) {
      network.events.on(name, (event) => heard.push(note(event)))
      // Another listener, which reads the same bodies.
      network.events.on(name, ({ request: own, requestId }) => own.text().then(() => expect(requestId).toBe('id-1')))
    }
    const outcome = await handleRequest(request, network, 'id-1')
    if ('onResponse' in outcome) outcome.onResponse?.(new Response('real'))
    return Promise.all(heard)
  }

  const post = (): Request => new Request(url, { method: 'POST', body: 'sent' })
  const answer = (): Response => HttpResponse.text('mocked')

  it.each<[name: string, handlers: Handler[], request: () => Request, heard: string[]]>([
    [
      'a mocked request',
      [http.post(url, answer)],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent', 'response:mocked: sent, mocked'],
    ],
    [
      'a resolver that reads the body',
      [http.post(url, async ({ request }) => HttpResponse.text(`got ${await request.text()}`))],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent', 'response:mocked: sent, got sent'],
    ],
    [
      'fall-through',
      [http.post(url, () => {}), http.all('*', answer)],
      post,
      [
        'request:start: sent',
        'request:match: sent',
        'request:match: sent',
        'request:end: sent',
        'response:mocked: sent, mocked',
      ],
    ],
    [
      'passthrough()',
      [http.post(url, () => passthrough())],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent', 'response:bypass: sent, real'],
    ],
    [
      'an unhandled request',
      [http.get(url, answer)],
      post,
      ['request:start: sent', 'request:unhandled: sent', 'request:end: sent', 'response:bypass: sent, real'],
    ],
    [
      'a bypassed request',
      [http.post(url, answer)],
      () => bypass(post()),
      ['request:start: sent', 'request:end: sent', 'response:bypass: sent, real'],
    ],
    [
      'a network error',
      [http.post(url, () => HttpResponse.error())],
      post,
      ['request:start: sent', 'request:match: sent', 'request:end: sent'],
    ],
    [
      'a resolver that throws',
      [http.post(url, () => Promise.reject(new Error('thrown')))],
      post,
      [
        'request:start: sent',
        'request:match: sent',
        'unhandledException: sent, thrown',
        'request:end: sent',
        expect.stringContaining('response:mocked: sent, {"name":"Error"') as string,
      ],
    ],
  ])('of %s', async (_name, handlers, request, heard) => {
    expect(await record(create(handlers), request())).toEqual(heard)
  })

  it('leave the body of the response to the client', async () => {
    const network = create([http.get(url, answer)])
    network.events.on('response:mocked', ({ response }) => response.text())
    expect(await read(ask(network))).toBe('mocked')
  })

  it('name the handler that matched', async () => {
    const handler = http.get(url, answer)
    const network = create([handler])
    const matched: Handler[] = []
    network.events.on('request:match', (event) => matched.push(event.handler))
    await ask(network)
    expect(matched).toEqual([handler])
  })
})

describe('an aborted request', () => {
  it('gets no response while a resolver waits', async () => {
    const network = create([
      http.get(url, async () => {
        await delay('infinite')
      }),
    ])
    const controller = new AbortController()
    const outcome = ask(network, { signal: controller.signal })
    const reason = new Error('gone')
    controller.abort(reason)
    expect(await outcome).toEqual({ type: 'network-error', error: reason })
  })

  it('of a client that left emits no events and notifies no observer', async () => {
    const network = create([http.get(url, () => delay('infinite') as never)])
    const controller = new AbortController()
    const outcome = ask(network, { signal: controller.signal })
    // The request starts in the next turn of the microtask queue.
    await Promise.resolve()
    const heard: unknown[] = []
    network.events.on('*', ({ type }) => heard.push(type))
    network.observe((decision) => heard.push(decision))
    const reason = new ClientAbort('The client left.')
    controller.abort(reason)
    expect(await outcome).toEqual({ type: 'network-error', error: reason })
    expect(heard).toEqual([])
  })

  it('that was aborted before it arrived calls no resolver', async () => {
    const resolver = vi.fn<() => Response>(() => HttpResponse.text('Ada'))
    const outcome = await ask(create([http.get(url, resolver)]), { signal: AbortSignal.abort('gone') })
    expect(outcome).toEqual({ type: 'network-error', error: 'gone' })
    expect(resolver).not.toHaveBeenCalled()
  })

  it('no resolver answers later, and the next handler is not asked', async () => {
    const controller = new AbortController()
    const { promise: going, resolve: go } = Promise.withResolvers<void>()
    const next = vi.fn<() => Response>(() => HttpResponse.text('next'))
    const unhandled = vi.fn<() => void>()
    const network = create(
      [
        http.get(url, async () => {
          await going
        }),
        http.get(url, next),
        http.post(url, async () => {
          await going
          return HttpResponse.text('', { headers: { 'Set-Cookie': 'aborted=1' } })
        }),
        http.put(
          async () => {
            await going
            return false
          },
          () => {},
        ),
      ],
      unhandled,
    )
    const heard: string[] = []
    network.events.on('*', ({ type }) => heard.push(type))
    const { signal } = controller
    const outcomes = ['GET', 'POST', 'PUT'].map((method) => ask(network, { method, signal, credentials: 'include' }))
    await vi.waitFor(() => expect(heard).toHaveLength(5))
    controller.abort()
    expect((await Promise.all(outcomes)).map(({ type }) => type)).toEqual(Array(3).fill('network-error'))
    go()
    await delay(20)
    expect(next).not.toHaveBeenCalled()
    expect(unhandled).not.toHaveBeenCalled()
    expect(heard.slice(5)).toEqual(Array(3).fill('request:end'))
    expect(network.layers.entries().map(({ hits }) => hits)).toEqual([0, 0, 0, 0])
    expect(cookieJarOf(network).headerFor(new Request(url, { credentials: 'include' }))).not.toContain('aborted')
  })
})
