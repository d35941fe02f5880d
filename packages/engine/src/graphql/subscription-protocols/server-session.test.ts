import { describe, expect, test, vi } from 'vitest'

import type { ResultFrame } from '../response/result-format.ts'
import { ServerSession, type SessionOperation } from './server-session.ts'
import {
  chooseSubscriptionProtocol,
  graphqlTransportWs,
  subscriptionsTransportWs,
  type SubscriptionProtocol,
} from './subscription-protocol.ts'

interface Started {
  readonly operation: SessionOperation
  readonly signal: AbortSignal
  /** Sends the session a frame. */
  send(frame: ResultFrame): void
  end(): void
  fail(error: unknown): void
}

/** A session without a connection. It records its messages, and the test answers operations. */
function open(protocol: SubscriptionProtocol) {
  const log: unknown[] = []
  const started: Started[] = []
  const session = new ServerSession(protocol, {
    send: (message) => log.push(JSON.parse(message)),
    close: (code, reason) => log.push(`close ${code} ${reason}`.trim()),
    perform(operation, signal) {
      const body = new ReadableStream<ResultFrame>({
        start(controller) {
          started.push({
            operation,
            signal,
            send: (frame) => controller.enqueue(frame),
            end: () => controller.close(),
            fail: (error) => controller.error(error),
          })
        },
      })
      return body
    },
  })
  const receive = (...messages: object[]): void => {
    for (const message of messages) session.receive(JSON.stringify(message))
  }
  return { session, receive, log, started }
}

const settle = () => new Promise((resolve) => setTimeout(resolve))
const payload = { query: 'subscription { a }', variables: { b: 1 } }
const frame: ResultFrame = { type: 'next', payload: { data: { a: 1 } } }

async function until(log: unknown[], count: number): Promise<void> {
  await vi.waitFor(() => expect(log).toHaveLength(count))
}

describe('graphql-transport-ws', () => {
  const init = { type: 'connection_init', payload: { token: 'a' } }
  const subscribe = { id: '1', type: 'subscribe', payload }
  const ack = { type: 'connection_ack' }

  test('carries an operation from its beginning to its end', async () => {
    const { session, receive, log, started } = open(graphqlTransportWs)
    receive(init, subscribe)
    expect(session.connectionParams).toEqual({ token: 'a' })
    expect(started[0]?.operation).toEqual({ id: '1', body: payload })
    started[0]?.send(frame)
    started[0]?.send({ type: 'complete' })
    started[0]?.end()
    await until(log, 3)
    expect(log).toEqual([ack, { id: '1', type: 'next', payload: { data: { a: 1 } } }, { id: '1', type: 'complete' }])
    // The id is free again.
    receive(subscribe)
    expect(started).toHaveLength(2)
  })

  test('ends an operation with its errors, and with the error of its source', async () => {
    const { receive, log, started } = open(graphqlTransportWs)
    receive(init, subscribe, { ...subscribe, id: '2' })
    started[0]?.send({ type: 'error', payload: [{ message: 'no' }] })
    started[0]?.end()
    started[1]?.fail(new TypeError('broken'))
    await until(log, 3)
    expect(log.slice(1)).toEqual(
      expect.arrayContaining([
        { id: '1', type: 'error', payload: [{ message: 'no' }] },
        { id: '2', type: 'error', payload: [{ message: 'broken' }] },
      ]),
    )
  })

  test('sends no results of an operation that the client has ended', async () => {
    const { receive, log, started } = open(graphqlTransportWs)
    receive(init, subscribe, { id: '1', type: 'complete' }, { id: 'unknown', type: 'complete' })
    expect(started[0]?.signal.aborted).toBe(true)
    started[0]?.send(frame)
    started[0]?.end()
    await settle()
    expect(log).toEqual([ack])
  })

  test('ends all operations when the connection closes', () => {
    const { session, receive, started } = open(graphqlTransportWs)
    receive(init, subscribe, { ...subscribe, id: '2' })
    session.end()
    expect(started.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  test('answers pings', () => {
    const { receive, log } = open(graphqlTransportWs)
    receive({ type: 'ping' }, { type: 'ping', payload: { at: 1 } }, { type: 'pong' })
    expect(log).toEqual([{ type: 'pong' }, { type: 'pong', payload: { at: 1 } }])
  })

  test.each<[string, unknown[], string]>([
    ['a second init', [init, init], 'close 4429 Too many initialisation requests'],
    ['an operation before init', [subscribe], 'close 4401 Unauthorized'],
    ['an id that is in use', [init, subscribe, subscribe], 'close 4409 Subscriber for 1 already exists'],
    ['an unknown type', [{ type: 'start', id: '1', payload }], 'close 4400 Invalid message type "start"'],
    ['an operation without an id', [init, { type: 'subscribe', payload }], 'close 4400 Invalid message received'],
    ['an operation without a payload', [init, { type: 'subscribe', id: '1' }], 'close 4400 Invalid message received'],
    ['a message without a type', [{ id: '1' }], 'close 4400 Invalid message received'],
    ['an id that is not a string', [{ type: 'subscribe', id: 1, payload }], 'close 4400 Invalid message received'],
    ['null', [null], 'close 4400 Invalid message received'],
  ])('closes the connection for %s', (_title, messages, closed) => {
    const { session, log } = open(graphqlTransportWs)
    for (const message of messages) session.receive(JSON.stringify(message))
    expect(log.at(-1)).toBe(closed)
  })

  test.each(['{', '', new ArrayBuffer(1), undefined])(
    'closes the connection for a message that is not JSON: %o',
    (data) => {
      const { session, log } = open(graphqlTransportWs)
      session.receive(data)
      expect(log).toEqual(['close 4400 Invalid message received'])
    },
  )
})

describe('subscriptions-transport-ws', () => {
  const init = { type: 'connection_init', payload: {} }
  const start = { id: '1', type: 'start', payload }
  const greeting = [{ type: 'connection_ack' }, { type: 'ka' }]

  test('carries an operation from its beginning to its end', async () => {
    const { receive, log, started } = open(subscriptionsTransportWs)
    receive(init, start)
    started[0]?.send(frame)
    started[0]?.end()
    await until(log, 4)
    expect(log).toEqual([
      ...greeting,
      { id: '1', type: 'data', payload: { data: { a: 1 } } },
      { id: '1', type: 'complete' },
    ])
  })

  test('ends an operation with an error, or a list of them', async () => {
    for (const errors of [[{ message: 'a' }], [{ message: 'a' }, { message: 'b' }]]) {
      const { receive, log, started } = open(subscriptionsTransportWs)
      receive(start)
      started[0]?.send({ type: 'error', payload: errors })
      started[0]?.end()
      await until(log, 1)
      expect(log).toEqual([{ id: '1', type: 'error', payload: errors.length === 1 ? errors[0] : errors }])
    }
  })

  test('stops an operation; a new one with the same id replaces it', () => {
    const { receive, started } = open(subscriptionsTransportWs)
    receive(init, start, start, { id: '1', type: 'stop' })
    expect(started.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  test("disconnects on the client's request", () => {
    const { receive, log } = open(subscriptionsTransportWs)
    receive(init, { type: 'connection_terminate' })
    expect(log).toEqual([...greeting, 'close 1000'])
  })

  test('sends the client errors, and continues', () => {
    const { session, receive, log, started } = open(subscriptionsTransportWs)
    session.receive('{')
    receive({ id: '1', type: 'subscribe', payload }, start)
    expect(log).toEqual([
      { type: 'error', payload: { message: 'Invalid message received' } },
      { id: '1', type: 'error', payload: { message: 'Invalid message type "subscribe"' } },
    ])
    expect(started).toHaveLength(1)
  })
})

test.each([
  [['graphql-transport-ws'], graphqlTransportWs],
  [['graphql-ws'], subscriptionsTransportWs],
  [['graphql-ws', 'graphql-transport-ws'], graphqlTransportWs],
  [['soap', 'mqtt'], undefined],
  [[], undefined],
])('of the subprotocols %o, the newer one of GraphQL is spoken', (offered, protocol) => {
  expect(chooseSubscriptionProtocol(offered)).toBe(protocol)
})
