import type { WebSocketConnectionInfo } from './connection-info.ts'
import type { WebSocketData } from './message-data.ts'
import type { WebSocketClient } from './web-socket-client.ts'
import type { WebSocketServer } from './web-socket-server.ts'

/** The result of an extension's method: one value, an iterator of several, or nothing. */
export type ExtensionResult<Value> = Value | Iterator<Value, Value | void, undefined> | undefined | void

/** The connection of an extension. */
export interface ExtensionContext<Message> {
  readonly client: WebSocketClient<Message, Message>
  readonly server: WebSocketServer<Message, Message>
  readonly info: WebSocketConnectionInfo
}

/**
 * A protocol on top of WebSocket (JSON messages, Socket.IO). Handlers send and receive its messages instead of frames.
 * Instances of classes that extend MSW's `WebSocketExtension` are extensions too.
 *
 * @example
 * const json: WebSocketExtension<ChatMessage> = {
 *   encode: (message) => JSON.stringify(message),
 *   decode: (data) => JSON.parse(String(data)),
 * }
 * const chat = ws.link('wss://example.com/chat', { extensions: [json] })
 */
export interface WebSocketExtension<Message, Api extends object = object> {
  /** Encodes a message that a handler sends into frames. */
  encode(message: Message, context: ExtensionContext<Message>): ExtensionResult<WebSocketData>
  /** Decodes a received frame into messages. Returns `undefined` for a frame that the handler does not see. */
  decode(data: WebSocketData, context: ExtensionContext<Message>): ExtensionResult<Message>
  /** Returns what the server sends first. Not called if a handler connects to the real server, which sends it itself. */
  connect?(context: ExtensionContext<Message>): ExtensionResult<WebSocketData>
  /** Returns the server's automatic answer to a frame (a pong), under the same condition. */
  receive?(data: WebSocketData, context: ExtensionContext<Message>): ExtensionResult<WebSocketData>
  /** Returns additional arguments for connection listeners. */
  extend?(context: ExtensionContext<Message>): Api
}

/** An extension with any type of messages. */
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

/** The arguments that an extension adds for connection listeners. */
export type ApiOf<Extension> = Extension extends { extend?(context: never): infer Api extends object } ? Api : object

/** Iterates over an iterator, including its return value. Everything else is one value, including an array. */
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
