import type { IncomingMessage } from 'node:http'

import { failure, print } from '../../core/failure.ts'
import type { Network } from '../../core/network/network.ts'
import type { UnhandledConnection } from '../../core/unhandled/unhandled-request.ts'
import { findMatches } from '../../ws/open-connection.ts'
import { reportConnection } from '../../ws/report-connection.ts'
import { takeDecided } from '../decided-requests.ts'
import { toPairs } from './real-request.ts'

/** Returns whether a request opens a WebSocket. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

let lastId = 0

/**
 * Applies the policies for unhandled requests to a WebSocket that a client opens without the global class, such as the
 * package `ws`. Handlers take only connections of the global `WebSocket`.
 *
 * @throws {UnderstudyError} if a policy fails the connection
 */
export async function applyPolicies(url: URL, incoming: IncomingMessage, networks: readonly Network[]): Promise<void> {
  // The replacement of the global class has already applied them.
  if (networks.length === 0 || takeDecided('GET', url)) return
  const socketUrl = new URL(url)
  socketUrl.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const protocols = incoming.headers['sec-websocket-protocol']?.split(/\s*,\s*/)
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
  const isMatched = networks.some((network) => findMatches(network, socketUrl, protocols ?? []).length > 0)
  const reason =
    ', because its client does not use the global WebSocket, the only class that handlers replace. ' +
    'Configure the client to use globalThis.WebSocket.'
  const options = { headers: toPairs(incoming.rawHeaders), ...(isMatched && { reason }) }
  if (isMatched && networks.every(({ unhandled }) => unhandled.isSilent)) {
    print.warn('US0601', `No handler takes the WebSocket connection to ${socketUrl.href}${reason}`)
  }
  await Promise.all(networks.map((network) => reportConnection(connection, network, options)))
  if (isClosed) {
    throw failure(
      'US0602',
      `open the WebSocket connection to ${socketUrl.href}`,
      '"onUnhandledFrame" closed it',
      'Add a handler for it: ws.link(url).',
    )
  }
}
