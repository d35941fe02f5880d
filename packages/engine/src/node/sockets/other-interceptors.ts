import type net from 'node:net'
import { nextTick } from 'node:process'

import { print } from '../../core/failure.ts'
import { ignoreHandshake } from './secure-socket.ts'

let isReported = false

/**
 * Returns whether another library, such as nock or MSW 3, has intercepted a socket before this one could. It has then
 * replaced the socket's own methods, and opens another socket for a request that it does not answer. Reports this once.
 */
export function isOfOtherInterceptor(socket: net.Socket): boolean {
  if (!Object.hasOwn(socket, 'connect')) return false
  if (!isReported) {
    print.warn(
      'US0416',
      'Another library (nock, MSW, @mswjs/interceptors) started to intercept requests after server.listen(). It gets requests first, ' +
        'and handlers get only those that it passes on. Start the other library before server.listen().',
    )
  }
  isReported = true
  // The socket that has the handshake reports its failure. This one never gets an event `secureConnect`. Node adds the
  // listener after this call.
  nextTick(ignoreHandshake, socket)
  return true
}
