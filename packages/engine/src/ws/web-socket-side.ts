import type { CallSiteReader } from '../core/call-site.ts'
import type { LayerEntry } from '../core/handlers/handler-layers.ts'
import type { Handler, HandlerInfo } from '../core/handlers/request-handler.ts'
import type { Network } from '../core/network/network.ts'
import type { WebSocketConnectionInfo } from './connection-info.ts'
import type { AnyExtension } from './extension.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import type { WebSocketServer } from './web-socket-server.ts'

/** A connection that an app is about to open. */
export interface WebSocketOpening {
  /** Absolute; `ws:` or `wss:`. */
  readonly url: URL
  /** The subprotocols that the app offers. */
  readonly protocols: readonly string[]
  readonly baseUrl: string | undefined
}

/** The arguments that a handler gets for a connection that it matches. */
export interface MatchedConnection {
  readonly client: WebSocketClient<unknown, unknown>
  readonly server: WebSocketServer<unknown, unknown>
  readonly info: WebSocketConnectionInfo
  /** The result of `match`. */
  readonly extras: object
  readonly network: Network
  /** The handler in its layer: its `enabled` may change while the connection lasts, and its `hits` count connections. */
  readonly entry: LayerEntry
  /**
   * Values that the handlers of a protocol share on this connection, such as a GraphQL session, by a symbol of the
   * protocol.
   */
  readonly memo: Map<symbol, unknown>
}

/** The clients of a link. */
export interface ClientsOfLink {
  /** The link's URL as text. */
  readonly link: string
  readonly all: Set<WebSocketClient<unknown, unknown>>
}

/** The definition of a WebSocket handler, which a protocol provides. */
export interface WebSocketHandlerDefinition {
  /** The name of the handler in messages: `WS wss://example.com/chat`. */
  header: string
  callSite: CallSiteReader
  extensions?: readonly AnyExtension[]
  /** The clients of the link that created the handler. */
  clients?: ClientsOfLink
  /** More arguments for `connect`, or `null` if the handler does not take the connection. It must be synchronous. */
  match(opening: WebSocketOpening): object | null
  /**
   * Selects the accepted subprotocol. Default: the first one that the app offers. The first handler with this function
   * decides.
   */
  selectProtocol?: (protocols: readonly string[]) => string | undefined
  /** Takes the connection, which opens afterwards. If it throws, the connection is refused. */
  connect(connection: MatchedConnection): unknown
}

/** A constructor call of the app. */
export interface WebSocketCall {
  /** The app's object. */
  readonly socket: EventTarget
  readonly args: readonly unknown[]
  /** The platform's constructor. */
  readonly native: typeof WebSocket
  /**
   * The networks with WebSocket handlers or a policy for connections, in the order in which they are asked. At least
   * one.
   */
  readonly networks: readonly Network[]
}

/** Decides about a constructor call. Returns the mocked socket; `undefined` if the platform's class connects. */
export type OpenConnection = (call: WebSocketCall) => object | undefined

/** The part of a handler that takes connections. */
export interface WebSocketSide {
  readonly info: HandlerInfo
  readonly '~definition': WebSocketHandlerDefinition
  /** Opens connections. Handlers carry this function, so that an app that mocks no WebSocket does not load it. */
  readonly '~open': OpenConnection
}

/**
 * A request handler that also takes connections has their handler under `'~webSocket'`. A GraphQL subscription, for
 * example, arrives over HTTP or over a WebSocket.
 */
export interface WithWebSocketSide {
  readonly '~webSocket': WebSocketSide
}

/** A handler that takes connections, with its entry. */
export interface WebSocketEntry {
  readonly entry: LayerEntry
  readonly side: WebSocketSide
}

/** Returns the handlers that take connections, in order. */
export function webSocketEntries({ layers, isConcerned }: Network): WebSocketEntry[] {
  if (!isConcerned) return []
  return layers.entries().flatMap((entry) => {
    const side = webSocketSideOf(entry.handler)
    return side && entry.enabled ? [{ entry, side }] : []
  })
}

function webSocketSideOf(handler: Handler): WebSocketSide | undefined {
  return handler.kind === 'websocket'
    ? (handler as Handler & WebSocketSide)
    : (handler as Partial<WithWebSocketSide>)['~webSocket']
}
