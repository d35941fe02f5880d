import type { IncomingMessage } from 'node:http'

import { failure } from '../../core/failure.ts'
import type { Network } from '../../core/network/network.ts'
import type { UnhandledConnection } from '../../core/unhandled/unhandled-request.ts'
import { findMatches } from '../../ws/open-connection.ts'
import { reportConnection } from '../../ws/report-connection.ts'
import { takeDecided } from '../decided-requests.ts'
import { openMocked, type OpeningRequest } from './mocked-web-socket.ts'
import { toPairs } from './real-request.ts'

/** Returns whether a request opens a WebSocket. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

let lastId = 0

/**
 * Decides about a WebSocket that a client opens without the global class, such as the package `ws`: lets handlers take it, or applies
 * the policies for unhandled requests.
 *
 * @returns whether handlers take it
 * @throws {UnderstudyError} if a policy fails the connection
 */
export async function decideWebSocket(request: OpeningRequest, networks: readonly Network[]): Promise<boolean> {
  const { url, incoming } = request
  // The replacement of the global class has already decided.
  if (networks.length === 0 || takeDecided('GET', url)) return false
  const socketUrl = new URL(url)
  socketUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const protocols = incoming.headers['sec-websocket-protocol']?.split(/\s*,\s*/)
  if (networks.some((network) => findMatches(network, socketUrl, protocols ?? []).length > 0)) {
    await openMocked({ ...request, url: socketUrl }, protocols ?? [], networks)
    return true
  }
  let isClosed = false
  const connection: UnhandledConnection = {
    client: {
      id: `ws-request-${++lastId}`,
      url: socketUrl,
      close: () => {
        isClosed = true
      },
    },
    info: { protocols },
  }
  const options = { headers: toPairs(incoming.rawHeaders) }
  await Promise.all(networks.map((network) => reportConnection(connection, network, options)))
  if (isClosed) {
    throw failure(
      'US0602',
      `open the WebSocket connection to ${socketUrl.href}`,
      '"onUnhandledFrame" closed it',
      'Add a handler for it: ws.link(url).',
    )
  }
  return false
}
