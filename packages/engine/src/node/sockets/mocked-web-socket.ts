import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Network } from '../../core/network/network.ts'
import { abnormal } from '../../ws/close-code.ts'
import type { MockedSocket } from '../../ws/mocked-socket.ts'
import { openConnection } from '../../ws/open-connection.ts'
import { realWebSocket } from '../web-socket-source.ts'
import type { Connection } from './connection.ts'
import { refuse } from './mocked-response.ts'

/** A request that opens a WebSocket. */
export interface OpeningRequest {
  readonly url: URL
  readonly connection: Connection
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/**
 * Lets handlers take the connection of a client that does not use the global `WebSocket`, such as the package `ws`. They get the
 * same connection as one of the global class: the client's frames become calls on the mocked socket, and its events become frames.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455
 */
export async function openMocked(
  { url, connection, incoming, outgoing }: OpeningRequest,
  protocols: readonly string[],
  networks: readonly Network[],
): Promise<void> {
  if (incoming.headers['sec-websocket-key'] === undefined) {
    refuse(outgoing, 400, 'a WebSocket needs the header Sec-WebSocket-Key')
    return
  }
  const { WebSocketEnd } = await import('./web-socket-end.ts')
  if (outgoing.destroyed) return
  const socket = new EventTarget()
  const native = realWebSocket(headersOf(incoming))
  const app = openConnection({ socket, args: [url.href, protocols], native, networks }) as MockedSocket
  app.binaryType = 'arraybuffer'
  const end = new WebSocketEnd(app)
  let isOpen = false
  socket.addEventListener('open', () => {
    isOpen = true
    connection.switchTo(end, createHandshake(incoming, app.protocol))
  })
  socket.addEventListener('message', (event) => end.send((event as MessageEvent<string | ArrayBuffer>).data))
  socket.addEventListener('close', (event) => {
    const { code, reason } = event as CloseEvent
    if (isOpen) end.sendClose(code, reason)
    else connection.fail(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
  })
  outgoing.once('close', () => {
    if (!isOpen) app.refuse({ code: abnormal, reason: '', wasClean: false, tellsError: false })
  })
}

const handshakeHeaders = /^(?:host|connection|upgrade|sec-websocket-.*)$/

/** Returns the headers of the client that belong to a connection to the real server, too, such as its cookies. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const own = Object.entries(headers).filter(([name, value]) => value !== undefined && !handshakeHeaders.test(name))
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]))
}

/** The constant with which a server proves that it has read the request. */
const proof = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

function createHandshake({ headers }: IncomingMessage, protocol: string): Buffer {
  const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${proof}`).digest('base64')
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === '' ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
}
