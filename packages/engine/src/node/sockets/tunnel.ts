import http, { type IncomingMessage } from 'node:http'
import { PassThrough, Duplex } from 'node:stream'

import { failure } from '../../core/failure.ts'
import type { OpenReal } from './connection.ts'
import { noteReal } from './real-request.ts'

/**
 * Creates a tunnel through a proxy. It connects when a request that no handler answers is sent through it.
 *
 * @param open connects to the proxy
 * @param connect the client's `CONNECT` request
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6
 */
export function openTunnel(open: OpenReal, connect: IncomingMessage): OpenReal {
  return () => {
    const proxy = open()
    noteReal(proxy)
    const toProxy = new PassThrough()
    const fromProxy = new PassThrough()
    const tunnel = Duplex.from({ readable: fromProxy, writable: toProxy })
    const request = http.request({
      method: 'CONNECT',
      path: connect.url,
      headers: connect.rawHeaders as string[] & http.OutgoingHttpHeaders,
      setHost: false,
      // With `agent: false`, Node would use a new agent, which connects to localhost.
      createConnection: () => proxy,
    })
    request.on('connect', ({ statusCode = 0 }, socket, head) => {
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy(
          failure(
            'US0406',
            `connect to ${connect.url} through a proxy`,
            `the proxy answered with the status ${statusCode}`,
            'Check the address and the credentials of the proxy.',
          ),
        )
        socket.destroy()
        return
      }
      if (head.length > 0) fromProxy.write(head)
      socket.pipe(fromProxy)
      toProxy.pipe(socket)
      socket.on('error', (error) => tunnel.destroy(error))
      tunnel.on('close', () => socket.destroy())
    })
    request.on('error', (error) => tunnel.destroy(error))
    request.end()
    return tunnel
  }
}
