import { describe, expect, it, vi } from 'vitest'

import type { HttpResponseResolver } from '../../http/http-resolver.ts'
import { http } from '../../http/http.ts'
import { delay } from '../responses/delay.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { passthrough } from '../responses/passthrough.ts'
import type { Handler, HandlerOptions } from './request-handler.ts'
import { ask, create, read, readTimes, text, url } from './testing/ask-network.ts'

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

  it.each<[name: string, create: () => HttpResponse]>([
    ['a text', () => HttpResponse.text('whole')],
    ['a stream', () => new HttpResponse(new Blob(['whole']).stream())],
  ])('yields %s that a client can cancel, and that repeats', async (_, answer) => {
    const network = create(
      get(function* () {
        yield answer()
      }),
    )
    for (let request = 0; request < 2; request += 1) {
      const response = await ask(network)
      // The engine keeps a copy for the next request. It is not read, and the client must not wait for it.
      await response?.body?.cancel()
      expect(await read(network)).toBe('whole')
    }
  })

  it('ends the source of a stream that it repeats when it is reset', async () => {
    const left = vi.fn<() => void>()
    const network = create(
      get(function* () {
        yield new HttpResponse(new ReadableStream({ cancel: left }))
      }),
    )
    await (await ask(network))?.body?.cancel()
    expect(left).not.toHaveBeenCalled()
    network.layers.reset()
    await vi.waitFor(() => expect(left).toHaveBeenCalledOnce())
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
