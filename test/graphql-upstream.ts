import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'

import { createHandler } from 'graphql-sse/lib/use/http'
import { makeServer } from 'graphql-ws'
import { SubscriptionServer } from 'subscriptions-transport-ws'
import { WebSocketServer, type WebSocket } from 'ws'

// Use the same copy as the servers' packages. Vite, which loads this file, would resolve another one for development.
const { buildSchema, execute, graphql, parse, subscribe } = createRequire(import.meta.url)(
  'graphql',
) as typeof import('graphql')

const schema = buildSchema(`
  type Query { real: String }
  type Subscription { count(to: Int!): Int whoami: String }
`)

const rootValue = {
  real: 'data of the server',
  async *count({ to }: { to: number }) {
    for (let count = 1; count <= to; count += 1) yield await Promise.resolve({ count })
  },
  async *whoami(_args: unknown, { connectionParams }: { connectionParams?: object } = {}) {
    yield await Promise.resolve({ whoami: JSON.stringify(connectionParams ?? null) })
  },
}

const answerEvents = createHandler({
  onSubscribe: (_request, { query, variables }) => ({
    schema,
    document: parse(query),
    rootValue,
    variableValues: variables,
    contextValue: undefined,
  }),
})

/** Answers a GraphQL request as a server does: operations and batches of them, and subscriptions by event streams. */
export async function answerGraphQL(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { accept = '' } = request.headers
  if (accept.includes('text/event-stream')) {
    // Without interception, no code removes the marks of `bypass()`.
    request.headers.accept = accept.replace(/, (?:understudy|msw)\/passthrough/g, '')
    await answerEvents(request, response)
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString()) as { query: string } | { query: string }[]
  const answer = ({ query }: { query: string }) => graphql({ schema, source: query, rootValue })
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(await (Array.isArray(body) ? Promise.all(body.map(answer)) : answer(body))))
}

const server = makeServer({
  schema,
  roots: { query: rootValue, subscription: rootValue },
  context: ({ connectionParams }) => ({ connectionParams }),
})

/** The server of the older protocol needs a WebSocket server from which it gets its connections. */
const older = new WebSocketServer({ noServer: true })
SubscriptionServer.create(
  {
    schema,
    rootValue,
    execute: execute as never,
    subscribe: subscribe as never,
    onConnect: (connectionParams: object) => ({ connectionParams }),
  },
  older,
)

/** Serves a connection with one of the protocols for GraphQL over WebSocket, by the socket's subprotocol. */
export function speakGraphQL(socket: WebSocket, request: IncomingMessage): void {
  if (socket.protocol === 'graphql-ws') {
    older.emit('connection', socket, request)
    return
  }
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (data) =>
        new Promise((resolve, reject) => socket.send(data, (error) => (error ? reject(error) : resolve()))),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (receive) => socket.on('message', (data: Buffer) => void receive(data.toString())),
    },
    {},
  )
  socket.once('close', (code, reason) => void closed(code, String(reason)))
}
