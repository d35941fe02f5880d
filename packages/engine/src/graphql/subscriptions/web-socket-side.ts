import { failure } from '../../core/failure.ts'
import { emit } from '../../core/network/emit.ts'
import { handleRequest } from '../../core/network/handle-request.ts'
import { toError } from '../../core/network/thrown-error.ts'
import { carryOut } from '../../core/source.ts'
import { openConnection } from '../../ws/open-connection.ts'
import { requestOf } from '../../ws/report-connection.ts'
import type { MatchedConnection, WebSocketOpening, WithWebSocketSide } from '../../ws/web-socket-side.ts'
import type { Endpoint } from '../endpoint.ts'
import type { GraphQLHandler } from '../graphql-handler.ts'
import { readResults } from '../response/read-results.ts'
import { frames, type ResultFrame } from '../response/result-format.ts'
import { ServerSession, type SessionOperation } from '../subscription-protocols/server-session.ts'
import {
  chooseSubscriptionProtocol,
  type SubscriptionProtocol,
} from '../subscription-protocols/subscription-protocol.ts'
import { Upstream } from '../subscription-protocols/upstream.ts'
import { setTransport } from './operation-transport.ts'

/**
 * Lets a handler take the WebSocket connections to its endpoint that use one of GraphQL's protocols. It only opens the
 * connection: each operation on it becomes a separate request, which any handler may answer.
 */
export function withWebSocketSide(handler: GraphQLHandler, endpoint: Endpoint): GraphQLHandler & WithWebSocketSide {
  const { info } = handler
  const side: WithWebSocketSide['~webSocket'] = {
    info,
    '~open': openConnection,
    '~definition': {
      header: info.header,
      callSite: () => info.callSite,
      match({ url, protocols, baseUrl }: WebSocketOpening) {
        if (handler.once && handler.isUsed) return null
        const protocol = chooseSubscriptionProtocol(protocols)
        return protocol && endpoint.match({ url: toHttpUrl(url), baseUrl }) ? { protocol } : null
      },
      selectProtocol: (protocols) => chooseSubscriptionProtocol(protocols)?.name,
      connect: openSession,
    },
  }
  return Object.assign(handler, { '~webSocket': side })
}

/** Handlers match endpoints by their http(s) URLs. */
function toHttpUrl({ href }: URL): URL {
  return new URL(href.replace(/^ws/, 'http'))
}

const sessionKey: unique symbol = Symbol('graphql session') as never

/** If several handlers take a connection, they share one session. */
function openSession({ client, server, memo, network, extras }: MatchedConnection): void {
  if (memo.has(sessionKey)) return
  memo.set(sessionKey, true)
  const { protocol } = extras as { protocol: SubscriptionProtocol }

  const upstream = new Upstream(protocol, {
    connect: () => server.connect(),
    send: (message) => {
      if (server.readyState === 1) server.send(message)
    },
    connectionParams: () => session.connectionParams,
  })
  const session = new ServerSession(protocol, {
    send: (message) => client.send(message),
    close: (code, reason) => client.close(code, reason),
    perform,
  })

  async function* perform(
    operation: SessionOperation,
    signal: AbortSignal,
  ): AsyncGenerator<ResultFrame, void, undefined> {
    const request = requestOf(toHttpUrl(client.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: frames.contentType },
      body: JSON.stringify(operation.body),
      signal,
    })
    setTransport(request, {
      id: operation.id,
      perform: (given) => upstream.perform(operation, given),
      onAnswered(answered) {
        emit(network.events, 'graphql:subscription', () => ({
          ...answered,
          request: requestOf(client.url, { headers: { upgrade: 'websocket', connection: 'upgrade' } }),
        }))
      },
    })
    const outcome = await handleRequest(request, network)
    if (signal.aborted) return
    yield* carryOut<AsyncIterable<ResultFrame> | Iterable<ResultFrame>>(outcome, {
      respond: (response) => readResults(response, signal),
      fail: (error) => [{ type: 'error', payload: [{ message: toError(error).message }] }],
      passthrough: () => upstream.perform(operation, signal),
    })
  }

  client.addEventListener('message', (event) => {
    event.preventDefault()
    session.receive(event.data)
  })
  client['~ended'].add(() => session.end())
  server.addEventListener('open', () => upstream.opened())
  server.addEventListener('message', (event) => {
    event.preventDefault()
    upstream.receive(event.data)
  })
  // The client's connection stays open without a connection to the server.
  for (const type of ['error', 'close'] as const) {
    server.addEventListener(type, (event) => {
      event.preventDefault()
      upstream.closed(
        failure(
          'US0523',
          `send the operation to ${server.url.href}`,
          'there is no connection to the server',
          'Check its URL, or answer the operation with a handler.',
        ).message,
      )
    })
  }
}
