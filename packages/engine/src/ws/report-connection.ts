import { emit } from '../core/network/emit.ts'
import type { Network } from '../core/network/network.ts'
import { Request } from '../core/platform.ts'
import type { UnhandledConnection } from '../core/unhandled/unhandled-request.ts'
import type { WebSocketCall } from './web-socket-side.ts'
import { protocolsOf, resolveWebSocketUrl } from './web-socket-url.ts'

export interface ReportOptions {
  /** The headers of the client's request. Default: those that every WebSocket handshake has. */
  readonly headers?: HeadersInit
}

/**
 * Applies a network's policy for unhandled requests to a WebSocket connection that no handler takes.
 *
 * @returns a promise that rejects if the connection must fail
 */
export function reportConnection(
  connection: UnhandledConnection,
  { unhandled }: Network,
  { headers = { upgrade: 'websocket', connection: 'upgrade' } }: ReportOptions = {},
): Promise<void> {
  const { id, url } = connection.client
  return unhandled.apply(requestOf(url, { headers }), id, () => describe(url), connection)
}

/** Applies the policies to a constructor call, while the platform opens the connection. */
export function reportCall({ args, networks }: Pick<WebSocketCall, 'args' | 'networks'>): void {
  const url = resolveWebSocketUrl(args[0])
  if (!url) return
  const info = { protocols: protocolsOf(args[1]) }
  for (const network of networks) {
    emit(network.events, 'websocket:connection', () => ({ url, protocols: info.protocols }))
    void reportConnection({ client: { id: '', url, close: () => {} }, info }, network)
  }
}

/** Creates the request of a connection. Its URL has no user name: `Request` rejects a URL with one, and `WebSocket` does not. */
export function requestOf(url: URL, init?: RequestInit): Request {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return new Request(plain, init)
}

function describe({ href, host, pathname, protocol }: URL): string {
  const page = (globalThis as { location?: { host?: string } }).location?.host
  // At the start of a path, `//` would begin a host.
  const isRelative = host === page && !pathname.startsWith('//')
  const shown = (isRelative ? '' : `${protocol}//${host}`) + pathname
  return (
    `No handler matches the WebSocket connection to ${href}. If it should be mocked, add one: ` +
    `ws.link('${shown}').addEventListener('connection', ({ client }) => client.send('…'))`
  )
}
