/**
 * A reverse proxy in a separate process. It forwards requests and WebSocket connections to a dev server.
 *
 * Usage: `node reverse-proxy.ts <port of the dev server> <http|https> <kept|rewritten> <kept|removed>`. The last arguments say
 * what the proxy does with the headers `Host` and `Origin`. It prints its port.
 */
import { createServer, request as send, type IncomingMessage, type RequestOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { certificate } from '../certificate.ts'

const [target, protocol, host, origin] = process.argv.slice(2)

function forwarded({ url = '/', method = 'GET', headers }: IncomingMessage): RequestOptions {
  const named = host === 'rewritten' ? { host: `localhost:${target}` } : {}
  const original = { 'x-forwarded-host': headers.host ?? '', 'x-forwarded-proto': protocol }
  const kept = { ...headers }
  if (origin === 'removed') delete kept.origin
  return { host: '127.0.0.1', port: target, path: url, method, headers: { ...kept, ...original, ...named } }
}

const server = protocol === 'https' ? createSecureServer(certificate) : createServer()

server.on('request', (incoming, outgoing) => {
  const asked = send(forwarded(incoming), (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  asked.on('error', () => outgoing.destroy())
  outgoing.on('close', () => asked.destroy())
  incoming.pipe(asked)
})

server.on('upgrade', (incoming, socket, head) => {
  const asked = send(forwarded(incoming))
  socket.on('error', () => asked.destroy())
  asked.on('error', () => socket.destroy())
  asked.on('response', () => socket.destroy())
  asked.on('upgrade', (answer, upstream, first) => {
    const lines = [`HTTP/1.1 101 ${answer.statusMessage}`]
    for (let index = 0; index < answer.rawHeaders.length; index += 2) {
      lines.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}`)
    }
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.write(first)
    upstream.write(head)
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
    upstream.pipe(socket).pipe(upstream)
  })
  asked.end()
})

server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`))
