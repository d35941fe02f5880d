import { createClient } from 'graphql-ws'
import { SubscriptionClient } from 'subscriptions-transport-ws'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'

import type { Handler } from '../../core/handlers/request-handler.ts'
import { HttpResponse } from '../../core/responses/http-response.ts'
import { intercept } from '../../ws/testing/intercept.ts'
import { record, next } from '../../ws/testing/record.ts'
import { ws } from '../../ws/ws.ts'
import { graphql } from '../graphql.ts'

const endpoint = 'wss://api.example.com/graphql'
const upstream = `${inject('upstream').replace('http', 'ws')}/graphql`
const api = graphql.link('https://api.example.com/graphql')
const real = graphql.link(upstream)

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  vi.restoreAllMocks()
})

type Result = object | Error

/** The used interface of a client. */
interface Client {
  subscribe(
    query: string,
    sink: { next(result: object): void; error(error: unknown): void; complete(): void },
    variables?: Record<string, unknown>,
  ): () => void
}

const connectionParams = { token: 'secret' }

/** A client of the package `graphql-ws`. */
function connectNewer(url: string): Client {
  const client = createClient({ url, connectionParams, retryAttempts: 0, webSocketImpl: WebSocket })
  cleanups.push(() => client.dispose())
  return { subscribe: (query, sink, variables = {}) => client.subscribe({ query, variables }, sink) }
}

/** A client of the package `subscriptions-transport-ws`. */
function connectOlder(url: string): Client {
  const client = new SubscriptionClient(url, { connectionParams, reconnect: false }, WebSocket)
  cleanups.push(() => client.close(true))
  return {
    subscribe(query, sink, variables = {}) {
      const { unsubscribe } = client.request({ query, variables }).subscribe(sink as never)
      return unsubscribe
    },
  }
}

function collect(client: Client, query: string, variables?: Record<string, unknown>): Promise<Result[]> {
  const results: Result[] = []
  return new Promise((resolve) => {
    const sink = {
      next: (result: object) => void results.push(result),
      error(error: unknown) {
        results.push(new Error(JSON.stringify(error instanceof Error ? error.message : error)))
        resolve(results)
      },
      complete: () => resolve(results),
    }
    client.subscribe(query, sink, variables)
  })
}

const mock = (...handlers: Handler[]) => {
  const { network, stop } = intercept(handlers)
  cleanups.push(stop)
  return network
}

const result = (count: number) => ({ data: { count } })
const count = 'subscription Count($to: Int = 2) { count(to: $to) }'

describe.each([
  ['graphql-transport-ws', connectNewer],
  ['subscriptions-transport-ws', connectOlder],
])('%s', (_title, connect) => {
  test('a subscription gets the results that its handler publishes', async () => {
    mock(
      api.subscription('Other', () => [result(0)]),
      api.subscription('Count', async function* ({ variables, subscription }) {
        yield await Promise.resolve(result(Number(variables['from'])))
        subscription.publish(result(2))
      }),
    )
    expect(await collect(connect(endpoint), count, { from: 1 })).toEqual([result(1), result(2)])
  })

  test('a subscription that its handler answers is an event, unlike another operation', async () => {
    const { events } = mock(
      api.subscription('Count', () => [result(1)]),
      api.query('Now', () => HttpResponse.json({ data: { now: 1 } })),
    )
    const seen: object[] = []
    events.on('graphql:subscription', ({ type, request, ...operation }) => {
      seen.push({ type, url: request.url, ...operation })
    })
    const client = connect(endpoint)
    await collect(client, 'query Now { now }')
    await collect(client, count, { to: 1 })
    expect(seen).toEqual([
      {
        type: 'graphql:subscription',
        url: 'wss://api.example.com/graphql',
        operationName: 'Count',
        query: count,
        variables: { to: 1 },
      },
    ])
  })

  test('concurrent subscriptions do not mix', async () => {
    mock(
      graphql.subscription('Count', function* ({ variables }) {
        yield result(Number(variables['to']))
        yield result(Number(variables['to']) + 1)
      }),
    )
    const client = connect(endpoint)
    const both = await Promise.all([collect(client, count, { to: 1 }), collect(client, count, { to: 10 })])
    expect(both).toEqual([
      [result(1), result(2)],
      [result(10), result(11)],
    ])
  })

  test('queries and mutations are answered too', async () => {
    mock(
      api.operation(({ operationType, operationName }) =>
        HttpResponse.json({ data: { is: `${operationType} ${operationName}` } }),
      ),
    )
    const client = connect(endpoint)
    expect(await collect(client, 'query A { a }')).toEqual([{ data: { is: 'query A' } }])
    expect(await collect(client, 'mutation B { b }')).toEqual([{ data: { is: 'mutation B' } }])
    expect(await collect(client, 'subscription C { c }')).toEqual([{ data: { is: 'subscription C' } }])
  })

  test('by handlers of a link to the URL of the WebSocket', async () => {
    mock(graphql.link(endpoint).query('A', () => HttpResponse.json({ data: { a: 1 } })))
    expect(await collect(connect(endpoint), 'query A { a }')).toEqual([{ data: { a: 1 } }])
  })

  test('a schema answers all of them', async () => {
    mock(
      api.schema('type Query { a: Int } type Subscription { count(to: Int!): Int }', {
        rootValue: {
          a: 1,
          async *count({ to }: { to: number }) {
            for (let index = 1; index <= to; index += 1) yield await Promise.resolve({ count: index })
          },
        },
      }),
    )
    const client = connect(endpoint)
    expect(await collect(client, '{ a }')).toEqual([{ data: { a: 1 } }])
    expect(await collect(client, 'subscription { count(to: 2) }')).toEqual([result(1), result(2)])
    expect(JSON.stringify(await collect(client, '{ nothing }'))).toContain('Cannot query field')
  })

  test('errors end a subscription', async () => {
    mock(api.subscription('Count', ({ subscription }) => subscription.error([{ message: 'no such counter' }])))
    const [error] = await collect(connect(endpoint), count)
    expect(error).toHaveProperty('message', expect.stringContaining('no such counter'))
  })

  test('a network error ends the subscription, not the connection', async () => {
    mock(
      api.subscription('Count', () => HttpResponse.error()),
      api.subscription('Other', () => [result(1)]),
    )
    const client = connect(endpoint)
    expect(await collect(client, count)).toEqual([expect.any(Error)])
    expect(await collect(client, 'subscription Other { other }')).toEqual([result(1)])
  })

  test('a client that unsubscribes or disconnects aborts its handler', async () => {
    const ended = vi.fn<() => void>()
    mock(
      api.subscription('Count', ({ subscription, finalize }) => {
        finalize(ended)
        subscription.publish(result(1))
      }),
    )
    const client = connect(endpoint)
    const first = await new Promise<() => void>((resolve) => {
      const end = client.subscribe(count, { next: () => resolve(() => end()), error: () => {}, complete: () => {} })
    })
    first()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(1))
    await new Promise<void>((resolve) => {
      client.subscribe(count, { next: () => resolve(), error: () => {}, complete: () => {} })
    })
    await cleanups.pop()?.()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledTimes(2))
  })

  test('a client that disconnects aborts its handler although another handler stops the event', async () => {
    const ended = vi.fn<() => void>()
    mock(
      ws.link(endpoint).addEventListener('connection', ({ client }) => {
        client.addEventListener('close', (event) => event.stopPropagation())
      }),
      api.subscription('Count', ({ subscription, finalize }) => {
        finalize(ended)
        subscription.publish(result(1))
      }),
    )
    const client = connect(endpoint)
    await new Promise<void>((resolve) => {
      client.subscribe(count, { next: () => resolve(), error: () => {}, complete: () => {} })
    })
    await cleanups.pop()?.()
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })

  test('a client that unsubscribes ends a source that is silent', async () => {
    const ended = vi.fn<() => void>()
    const pending = [Promise.resolve({ done: false, value: result(1) })]
    const source: AsyncIterable<ReturnType<typeof result>> = {
      [Symbol.asyncIterator]: () => ({
        next: () => pending.shift() ?? new Promise(() => {}),
        async return() {
          ended()
          return Promise.resolve({ done: true, value: undefined })
        },
      }),
    }
    mock(api.subscription('Count', () => source))
    const client = connect(endpoint)
    await new Promise<void>((resolve) => {
      const end = client.subscribe(count, {
        next: () => setTimeout(() => resolve(end())),
        error: () => {},
        complete: () => {},
      })
    })
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  })

  test('handlers that are added later answer on a connection that is open', async () => {
    const network = mock(api.subscription('Count', () => [result(1)]))
    const client = connect(endpoint)
    // One subscription stays open, so that the client keeps its connection.
    network.layers.use([api.subscription('Open', ({ subscription }) => subscription.publish(result(0)))])
    await new Promise<void>((resolve) => {
      client.subscribe('subscription Open { open }', { next: () => resolve(), error: () => {}, complete: () => {} })
    })
    expect(await collect(client, count)).toEqual([result(1)])
    network.layers.use([api.subscription('Count', () => [result(2)])])
    expect(await collect(client, count)).toEqual([result(2)])
    network.layers.reset()
    expect(await collect(client, count)).toEqual([result(1)])
  })

  describe('with a real server', () => {
    test('operations without a handler are sent there, with the client’s connection parameters', async () => {
      mock(real.subscription('Count', () => [result(100)]))
      const client = connect(upstream)
      expect(await collect(client, 'subscription Real { count(to: 3) }')).toEqual([1, 2, 3].map(result))
      expect(await collect(client, count)).toEqual([result(100)])
      expect(await collect(client, 'query Real { real }')).toEqual([{ data: { real: 'data of the server' } }])
      expect(await collect(client, 'subscription Whoami { whoami }')).toEqual([
        { data: { whoami: JSON.stringify(connectionParams) } },
      ])
      const [refused] = await collect(client, 'query Nothing { nothing }')
      expect(JSON.stringify(refused, ['message', 'errors', 'data'])).toContain('Cannot query field')
    })

    test('passthrough() subscribes there, and listeners get the results', async () => {
      const seen: unknown[] = []
      mock(
        real.subscription('Count', ({ subscription }) => {
          const passed = subscription.passthrough()
          passed.addEventListener('next', (event) => {
            const { data } = event.data.payload as ReturnType<typeof result>
            seen.push(data.count)
            if (data.count !== 2) return
            event.preventDefault()
            subscription.publish(result(-2))
          })
          passed.addEventListener('complete', ({ type }) => seen.push(type))
        }),
      )
      expect(await collect(connect(upstream), count, { to: 3 })).toEqual([1, -2, 3].map(result))
      expect(seen).toEqual([1, 2, 3, 'complete'])
    })

    test('passthrough() can be ended, and the subscription continues', async () => {
      mock(
        real.subscription('Count', ({ subscription }) => {
          const passed = subscription.passthrough()
          passed.addEventListener('next', () => {
            passed.unsubscribe()
            setTimeout(() => {
              subscription.publish(result(50))
              subscription.complete()
            })
          })
        }),
      )
      expect(await collect(connect(upstream), count, { to: 1000 })).toEqual([result(1), result(50)])
    })

    test('an unreachable server is an error of the operation', async () => {
      mock(graphql.link('ws://localhost:9/graphql').subscription('Other', () => []))
      const [error] = await collect(connect('ws://localhost:9/graphql'), count)
      expect(error).toHaveProperty('message', expect.stringContaining('there is no connection to the server'))
    })
  })
})

describe('connections', () => {
  test('without a protocol of GraphQL, and to other URLs, are not intercepted', async () => {
    mock(
      real.operation(() => HttpResponse.json({})),
      api.subscription(/./, () => []),
    )
    const { socket } = record(upstream.replace('/graphql', '/greet'), 'graphql-transport-ws')
    expect((await next(socket, 'message')).data).toBe('hello from the server')
    socket.close()
    const other = record(upstream.replace('/graphql', '/greet'))
    expect((await next(other.socket, 'message')).data).toBe('hello from the server')
    other.socket.close()
  })

  test('are not intercepted for queries and mutations of another URL', async () => {
    mock(graphql.query('A', () => HttpResponse.json({ data: { a: 1 } })))
    const client = connectNewer(upstream)
    expect(await collect(client, 'query Real { real }')).toEqual([{ data: { real: 'data of the server' } }])
  })

  test('may have a user name in the URL', async () => {
    mock(api.subscription('Count', () => [{ data: { count: 1 } }]))
    const client = connectNewer(endpoint.replace('wss://', 'wss://ada:secret@'))
    expect(await collect(client, 'subscription Count { count }')).toEqual([{ data: { count: 1 } }])
  })

  test('use the newer protocol if both are offered', async () => {
    mock(api.subscription('Count', () => []))
    const { socket } = record(endpoint, ['graphql-ws', 'graphql-transport-ws'])
    await next(socket, 'open')
    expect(socket.protocol).toBe('graphql-transport-ws')
    socket.close()
  })
})
