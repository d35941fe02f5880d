import { afterEach, describe, expect, inject, test, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { getResponse } from '../../core/network/get-response.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { graphql } from '../graphql.ts'
import { readResults } from '../response/read-results.ts'
import type { ResultFrame } from '../response/result-format.ts'
import { get, post } from '../testing/graphql-request.ts'
import type { GraphQLSubscription } from './subscription.ts'

const accept = { Accept: 'text/event-stream' }
const query = 'subscription OnMessage($room: ID) { message(room: $room) { text } }'

afterEach(() => {
  vi.restoreAllMocks()
})

async function subscribe(handler: Handler, headers: Record<string, string> = accept): Promise<Response> {
  const response = await getResponse([handler], post({ query, variables: { room: '7' } }, headers))
  if (!response) throw new Error('no response')
  return response
}

async function framesOf(response: Response, count = Infinity): Promise<ResultFrame[]> {
  const found: ResultFrame[] = []
  for await (const frame of readResults(response)) {
    found.push(frame)
    if (found.length === count) break
  }
  return found
}

const next = (text: string): ResultFrame => ({ type: 'next', payload: { data: { message: { text } } } })
const result = (text: string) => ({ data: { message: { text } } })
const complete = { type: 'complete' }

describe('a resolver', () => {
  test('may publish for any time, and complete', async () => {
    let subscription: GraphQLSubscription<object | null, Record<string, unknown>> | undefined
    const handler = graphql.subscription('OnMessage', (info) => {
      subscription = info.subscription
      subscription.publish(result(String(info.variables['room'])))
    })
    const response = await subscribe(handler)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    setTimeout(() => {
      subscription?.publish(result('later'))
      subscription?.complete()
    })
    expect(await framesOf(response)).toEqual([next('7'), next('later'), complete])
    expect(subscription).toMatchObject({
      query,
      variables: { room: '7' },
      extensions: {},
      id: expect.any(String) as string,
    })
  })

  test('may end with errors', async () => {
    const handler = graphql.subscription('OnMessage', ({ subscription }) => {
      subscription.error([{ message: 'no such room' }])
    })
    expect(await framesOf(await subscribe(handler))).toEqual([
      { type: 'next', payload: { errors: [{ message: 'no such room' }] } },
      complete,
    ])
  })

  test('may be a generator, asynchronous or not, or return an iterable', async () => {
    const sources = [
      async function* () {
        yield await Promise.resolve(result('a'))
        yield result('b')
      },
      function* () {
        yield result('a')
        yield result('b')
      },
      () => [result('a'), result('b')],
      async () => Promise.resolve(new Set([result('a'), result('b')])),
    ]
    for (const source of sources) {
      const handler = graphql.subscription('OnMessage', () => source())
      expect(await framesOf(await subscribe(handler))).toEqual([next('a'), next('b'), complete])
      // Each client gets all results. A generator of responses would continue where the first client stopped.
      expect(await framesOf(await subscribe(handler))).toHaveLength(3)
    }
  })

  test('may publish the data of a source', async () => {
    const handler = graphql.subscription('OnMessage', async ({ subscription }) => {
      await subscription.from([result('a').data, result('b').data])
      subscription.complete()
    })
    expect(await framesOf(await subscribe(handler))).toEqual([next('a'), next('b'), complete])
  })

  test('may answer with a response, and throw one', async () => {
    const refused = () => HttpResponse.json({ errors: [{ message: 'who are you?' }] }, { status: 401 })
    for (const handler of [
      graphql.subscription('OnMessage', () => refused()),
      graphql.subscription('OnMessage', async () => {
        await Promise.resolve()
        throw refused()
      }),
    ]) {
      expect((await subscribe(handler)).status).toBe(401)
    }
  })

  test('that throws before it published fails the request', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    const handler = graphql.subscription('OnMessage', () => {
      throw new TypeError('too early')
    })
    expect((await subscribe(handler)).status).toBe(500)
    expect(print).toHaveBeenCalledOnce()
  })

  test('that throws after it published ends the subscription', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue()
    for (const handler of [
      graphql.subscription('OnMessage', async ({ subscription }) => {
        subscription.publish(result('a'))
        await Promise.reject(new TypeError('too late'))
      }),
      graphql.subscription('OnMessage', async function* () {
        yield await Promise.resolve(result('a'))
        throw new TypeError('too late')
      }),
    ]) {
      expect(await framesOf(await subscribe(handler))).toEqual([
        next('a'),
        { type: 'next', payload: { errors: [{ message: 'too late' }] } },
        complete,
      ])
    }
    expect(print).toHaveBeenCalledTimes(2)
  })

  test('gets a warning if it publishes after the subscription has ended', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const handler = graphql.subscription('OnMessage', ({ subscription }) => {
      subscription.complete()
      subscription.publish(result('late'))
    })
    expect(await framesOf(await subscribe(handler))).toEqual([complete])
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining('Failed to publish to the subscription OnMessage: the subscription has ended.'),
    )
  })

  test('that yields endlessly waits for the client', async () => {
    let yielded = 0
    const handler = graphql.subscription('OnMessage', function* () {
      for (;;) {
        yielded += 1
        yield result('a')
      }
    })
    const reader = (await subscribe(handler)).body?.getReader()
    for (let reads = 0; reads < 3; reads += 1) await reader?.read()
    await new Promise((resolve) => setTimeout(resolve))
    expect(yielded).toBeLessThan(10)
    await reader?.cancel()
  })

  test('finalizes when the client leaves', async () => {
    const ended: string[] = []
    const handlers = [
      graphql.subscription('OnMessage', ({ subscription, finalize }) => {
        finalize(() => ended.push('published'))
        subscription.publish(result('a'))
      }),
      graphql.subscription('OnMessage', function* ({ finalize }) {
        finalize(() => ended.push('asked for late'))
        try {
          for (;;) yield result('a')
        } finally {
          ended.push('generated')
        }
      }),
    ]
    for (const handler of handlers) await framesOf(await subscribe(handler), 1)
    await vi.waitFor(() => expect(ended).toEqual(['published', 'asked for late', 'generated']))
  })
})

describe('a client', () => {
  const handler = graphql.subscription('OnMessage', () => [result('a')])

  test('may use GET, like an EventSource', async () => {
    const response = await getResponse([handler], get({ query }))
    expect(await response?.text()).toBe(
      ':\n\nevent: next\ndata: {"data":{"message":{"text":"a"}}}\n\nevent: complete\ndata:\n\n',
    )
  })

  test('may ask for a multipart response', async () => {
    const response = await subscribe(handler, {
      Accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json',
    })
    expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"')
    const copy = response.clone()
    expect(await copy.text()).toBe(
      '\r\n--graphql\r\nContent-Type: application/json\r\n\r\n' +
        '{"payload":{"data":{"message":{"text":"a"}}}}\r\n--graphql--\r\n',
    )
    expect(await framesOf(response)).toEqual([next('a'), complete])
  })

  test('gets errors of a multipart response', async () => {
    const failing = graphql.subscription('OnMessage', ({ subscription }) => subscription.error([{ message: 'no' }]))
    const response = await subscribe(failing, { Accept: 'multipart/mixed' })
    expect(await response.text()).toContain('{"payload":null,"errors":[{"message":"no"}]}\r\n--graphql--\r\n')
  })

  test('gets each subscription from the handler of its name, and a `once` handler answers once', async () => {
    const once = graphql.subscription(/^On/, () => [result('once')], { once: true })
    const all = [once, handler]
    const texts = []
    for (let round = 0; round < 2; round += 1) {
      const response = await getResponse(all, post({ query }, accept))
      texts.push(response && (await framesOf(response))[0])
    }
    expect(texts).toEqual([next('once'), next('a')])
    expect(await getResponse(all, post('query OnMessage { message }', accept))).toBeUndefined()
  })
})

describe('passthrough()', () => {
  const count = { query: 'subscription Count { count(to: 3) }' }
  const subscribeAt = async (url: string, handler: Handler) => {
    const response = await getResponse([handler], post(count, accept, url))
    return response ? framesOf(response) : undefined
  }
  const counted = (...counts: number[]) =>
    counts.map((index) => ({ type: 'next', payload: { data: { count: index } } }))

  test('subscribes at the server, and listeners may stop its results', async () => {
    const handler = graphql.subscription('Count', ({ subscription }) => {
      subscription.passthrough().addEventListener('next', (event) => {
        const { count: index } = (event.data.payload as { data: { count: number } }).data
        if (index === 2) event.preventDefault()
        expect(event.defaultPrevented).toBe(index === 2)
      })
    })
    expect(await subscribeAt(`${inject('upstream')}/graphql`, handler)).toEqual([...counted(1, 3), complete])
  })

  test('ends with the error that a listener throws', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const error = new Error('broken')
    const handler = graphql.subscription('Count', ({ subscription }) => {
      subscription.passthrough().addEventListener('error', () => {
        throw error
      })
    })
    const frames = await subscribeAt('http://localhost:9/graphql', handler)
    expect(frames).toEqual([{ type: 'next', payload: { errors: [{ message: 'broken' }] } }, complete])
    expect(print).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/the handler subscription Count.*US0520/s),
      error,
    )
  })

  test('reports the error of the server', async () => {
    const handler = graphql.subscription('Count', ({ subscription }) => void subscription.passthrough())
    const unreachable = await subscribeAt('http://localhost:9/graphql', handler)
    expect(unreachable).toMatchObject([{ payload: { errors: [{}] } }, complete])
    const noGraphQL = await subscribeAt(`${inject('upstream')}/none`, handler)
    expect(noGraphQL).toMatchObject([
      {
        payload: {
          errors: [{ message: expect.stringContaining('The response is not a GraphQL result: 200') as string }],
        },
      },
      complete,
    ])
  })
})

describe('a schema', () => {
  const definitions = `
    type Query { ready: Boolean }
    type Subscription { count(to: Int!): Int! }
  `
  async function* count(to: number, ended?: () => void) {
    try {
      for (let index = 1; index <= to; index += 1) yield await Promise.resolve({ count: index })
    } finally {
      ended?.()
    }
  }
  const document = 'subscription { count(to: 2) }'
  const counted = [1, 2].map((index) => ({ type: 'next', payload: { data: { count: index } } }))

  test.each([
    ['methods of the root value', { rootValue: { count: ({ to }: { to: number }) => count(to) } }],
    ['a resolver', { resolvers: { Subscription: { count: (_: unknown, { to }: { to: number }) => count(to) } } }],
    [
      'a resolver of source and field',
      {
        resolvers: {
          Subscription: {
            count: {
              subscribe: (_: unknown, { to }: { to: number }) => count(to),
              resolve: (event: { count: number }) => event.count,
            },
          },
        },
      },
    ],
  ])('subscribes to %s', async (_title, options) => {
    const response = await getResponse([graphql.schema(definitions, options)], post(document, accept))
    expect(response && (await framesOf(response))).toEqual([...counted, complete])
  })

  test('refuses a subscription that is not valid, or has no source', async () => {
    const invalid = await getResponse([graphql.schema(definitions)], post('subscription { counts }', accept))
    expect(await invalid?.text()).toContain('Cannot query field')
    const sourceless = await getResponse([graphql.schema(definitions)], post(document, accept))
    expect(await sourceless?.text()).toContain('Subscription field must return Async Iterable')
  })

  test('answers with an error if the client accepts no stream', async () => {
    const handler = graphql.schema(definitions, { rootValue: { count: () => count(1) } })
    const response = await getResponse([handler], post(document, { Accept: 'application/json' }))
    expect(await response?.json()).toEqual({
      errors: [{ message: 'A subscription is answered by a stream: send "Accept: text/event-stream".' }],
    })
  })

  test('ends the source when the client leaves', async () => {
    const ended = vi.fn<() => void>()
    const handler = graphql.schema(definitions, { rootValue: { count: () => count(Infinity, ended) } })
    const response = await getResponse([handler], post(document, accept))
    if (response) await framesOf(response, 2)
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })
})

test('a generator may complete its own subscription', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const handler = graphql.subscription('OnMessage', function* ({ subscription }) {
    yield result('one')
    subscription.complete()
  })
  expect(await framesOf(await subscribe(handler))).toEqual([next('one'), complete])
  expect(error).not.toHaveBeenCalled()
})

test('a thrown value that cannot be converted to text ends the subscription with an error', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const handler = graphql.subscription('OnMessage', async function* () {
    yield result('one')
    throw Object.create(null)
  })
  const frames = await framesOf(await subscribe(handler))
  expect(frames.map(({ type }) => type)).toEqual(['next', 'next', 'complete'])
  expect(frames[1]).toMatchObject({ payload: { errors: [{ message: expect.any(String) as string }] } })
})
