import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { certificate } from '../../certificate.ts'

/** A real server that records its connections and requests. */
export interface CountingServer {
  readonly origin: string
  readonly port: number
  /** The connections and requests that have reached it. */
  readonly reached: string[]
  /** Returns the number of bytes that were received on the connection from a port of a client. */
  bytesFrom(port: number | undefined): number
  close(): void
}

/** Describes a request in one line. The real server and the handler answer with it. */
export function describeRequest(method: string, path: string, bytes: Buffer): string {
  // For these methods, a `Request` has no body.
  const body = method === 'GET' || method === 'HEAD' || method === 'TRACE' ? Buffer.alloc(0) : bytes
  return `${method} ${path} ${body.length}:${body.toString('latin1').slice(0, 40)}`
}

/** @param isSecure whether it speaks TLS */
export async function startCountingServer(isSecure: boolean = false): Promise<CountingServer> {
  const answer: RequestListener = (request: IncomingMessage, response) => {
    counting.reached.push(`${request.method} ${request.url}`)
    buffer(request).then(
      (body) => {
        const path = (request.url ?? '').replace(/^https?:\/\/[^/]*/, '')
        const text = describeRequest(request.method ?? '', path, body)
        response.setHeader('Content-Length', Buffer.byteLength(text))
        response.end(text)
      },
      () => response.destroy(),
    )
  }
  // Without time-outs: on a busy machine, they would end a connection that a client has just sent a request on, or one whose request
  // is incomplete.
  const timeOuts = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 }
  const options = { ...timeOuts, requireHostHeader: false, maxHeaderSize: 1024 * 1024 }
  const server = isSecure ? createSecureServer({ ...certificate, ...options }, answer) : createServer(options, answer)
  server.on('checkExpectation', answer)
  const sockets: Server = server
  const connections = new Map<number | undefined, Socket>()
  sockets.on('connection', (socket) => {
    counting.reached.push('a connection')
    const { remotePort } = socket
    connections.set(remotePort, socket)
    socket.once('close', () => connections.delete(remotePort))
  })
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
  const { port } = sockets.address() as AddressInfo
  const counting: CountingServer = {
    origin: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    reached: [],
    bytesFrom: (clientPort) => connections.get(clientPort)?.bytesRead ?? 0,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return counting
}
