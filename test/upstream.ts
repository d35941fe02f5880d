import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import type { TestProject } from 'vitest/node'
import { WebSocketServer, type WebSocket } from 'ws'

import { answerGraphQL, speakGraphQL } from './graphql-upstream.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the real server for WebSocket and server-sent events: `http://localhost:1234`. */
    upstream: string
  }
}

/** The end of a connection to the server. */
export interface UpstreamClose {
  code: number
  reason: string
}

/**
 * Starts a real server for tests in Node and in browsers. WebSocket: `/echo` returns each message; `/greet` sends the
 * first message; `/close` closes with 4001. `/closes?path=/echo?id=1` returns how connections to a path ended.
 * `/headers` answers with the headers of the request.
 * `/gzip` answers with a compressed text, `/status/204` with that status and without a body.
 * GraphQL, by HTTP and by WebSocket: `/graphql`.
 * Server-sent events: see {@link answerEvents}.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closes = new Map<string, UpstreamClose[]>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*')
    response.setHeader('Access-Control-Allow-Credentials', 'true')
    response.setHeader('Access-Control-Allow-Headers', 'last-event-id, authorization, content-type, if-none-match')
    if (request.method === 'OPTIONS') response.end()
    else if (pathname === '/graphql') void answerGraphQL(request, response)
    else if (pathname === '/headers') response.end(JSON.stringify(request.headers))
    else if (pathname === '/gzip') response.setHeader('Content-Encoding', 'gzip').end(gzipSync('decoded once'))
    else if (pathname.startsWith('/status/')) response.writeHead(Number(pathname.slice('/status/'.length))).end()
    else if (pathname.startsWith('/events')) answerEvents(pathname, request, response)
    else response.end(JSON.stringify(closes.get(searchParams.get('path') ?? '') ?? []))
  })
  const sockets = new WebSocketServer({
    server,
    handleProtocols: (protocols) => [...protocols].at(-1) ?? false,
  })
  sockets.on('connection', (socket, request) => {
    const { url = '' } = request
    socket.on('close', (code, reason) => {
      closes.set(url, [...(closes.get(url) ?? []), { code, reason: String(reason) }])
    })
    if (url.startsWith('/graphql')) speakGraphQL(socket, request)
    else speak(socket, url)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  project.provide('upstream', `http://localhost:${(server.address() as AddressInfo).port}`)

  return async () => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function speak(socket: WebSocket, url: string): void {
  if (url.startsWith('/greet')) socket.send('hello from the server')
  if (url.startsWith('/close')) socket.close(4001, 'the server is tired')
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
}

/**
 * `/events`: a retry, two messages (one with two lines) and a named event. The stream stays open.
 * `/events/ending`: one message, numbered from the `Last-Event-ID`, then the end. `/events/none`: 204.
 * `/events/request`: the headers of the request, as a message.
 */
function answerEvents(pathname: string, { headers }: IncomingMessage, response: ServerResponse): void {
  if (pathname === '/events/none') {
    response.writeHead(204).end()
    return
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  if (pathname === '/events/ending') {
    const id = Number(headers['last-event-id'] ?? 0) + 1
    response.end(`retry: 20\nid: ${id}\ndata: number ${id}\n\n`)
  } else if (pathname === '/events/request') {
    response.write(`data: ${JSON.stringify(headers)}\n\n`)
  } else {
    response.write(
      'retry: 30\nid: 1\ndata: one\n\ndata: two\ndata: lines\n\nevent: joined\nid: 2\ndata: {"name":"Ada"}\n\n',
    )
  }
}
