import type { WebSocketConnectionInfo } from './connection-info.ts'
import type { WebSocketData } from './message-data.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import type { WebSocketServer } from './web-socket-server.ts'

/** What a method of an extension gives: one value, an iterator of several, or nothing. */
export type ExtensionResult<Value> = Value | Iterator<Value, Value | void, undefined> | undefined | void

/** The connection that an extension works on. */
export interface ExtensionContext<Message> {
  readonly client: WebSocketClient<Message, Message>
  readonly server: WebSocketServer<Message, Message>
  readonly info: WebSocketConnectionInfo
}

/**
 * A protocol on top of WebSocket (JSON messages, Socket.IO): handlers then send and get its messages instead of frames.
 * A class that extends MSW's `WebSocketExtension` is one.
 *
 * @example
 * const json: WebSocketExtension<ChatMessage> = {
 *   encode: (message) => JSON.stringify(message),
 *   decode: (data) => JSON.parse(String(data)),
 * }
 * const chat = ws.link('wss://example.com/chat', { extensions: [json] })
 */
export interface WebSocketExtension<Message, Api extends object = object> {
  /** The frames of a message that a handler sends. */
  encode(message: Message, context: ExtensionContext<Message>): ExtensionResult<WebSocketData>
  /** The messages of a frame that came in; nothing for one that is none of the handler's business. */
  decode(data: WebSocketData, context: ExtensionContext<Message>): ExtensionResult<Message>
  /** What a server sends first; where a handler connects to the real one, that speaks for itself. */
  connect?(context: ExtensionContext<Message>): ExtensionResult<WebSocketData>
  /** What a server answers to a frame by itself (a pong), under the same condition. */
  receive?(data: WebSocketData, context: ExtensionContext<Message>): ExtensionResult<WebSocketData>
  /** What connection listeners are told besides. */
  extend?(context: ExtensionContext<Message>): Api
}

/** An extension of any messages. */
export interface AnyExtension {
  encode(message: never, context: never): unknown
  decode(data: WebSocketData, context: never): unknown
  connect?(context: never): unknown
  receive?(data: WebSocketData, context: never): unknown
  extend?(context: never): object
}

/** The messages of an extension. */
export type MessageOf<Extension> = Extension extends { encode(message: infer Message, context: never): unknown }
  ? Message
  : never

/** What an extension tells connection listeners. */
export type ApiOf<Extension> = Extension extends { extend?(context: never): infer Api extends object } ? Api : object

/** An iterator is unfolded, its return value included; all else, arrays too, is one value. */
export function* valuesOf(result: unknown): Generator<unknown, void, undefined> {
  if (result === undefined) return
  if (typeof result !== 'object' || result === null || typeof (result as { next?: unknown }).next !== 'function') {
    yield result
    return
  }
  const iterator = result as Iterator<unknown, unknown, undefined>
  const last = yield* { [Symbol.iterator]: () => iterator }
  if (last !== undefined) yield last
}
