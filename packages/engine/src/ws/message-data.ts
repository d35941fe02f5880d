import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'

/** The data of a WebSocket message: text or bytes. `BufferSource` is a type of every version of TypeScript. */
export type WebSocketData = string | Blob | BufferSource

/**
 * Copies the data that an app sends, because the app may change its buffer after the call.
 *
 * @see https://websockets.spec.whatwg.org/#dom-websocket-send
 */
export function toSentData(value: unknown): WebSocketData {
  if (isBlob(value)) return value
  if (isArrayBuffer(value)) return value.slice(0)
  if (ArrayBuffer.isView(value)) return copyView(value)
  // The platform sends all other values as text: "[object Object]".
  return String(value).toWellFormed()
}

/**
 * Checks and copies the data that a handler sends.
 *
 * @param operation the operation, as the continuation of "Failed to"
 * @throws {UnderstudyError} if a WebSocket cannot send the data
 */
export function checkData(operation: string, value: unknown): WebSocketData {
  if (typeof value === 'string' || isBlob(value) || isArrayBuffer(value) || ArrayBuffer.isView(value)) {
    return toSentData(value)
  }
  throw failure(
    'US0607',
    operation,
    `the message is ${describe(value)}`,
    'A WebSocket carries text, Blob, ArrayBuffer and typed arrays: send JSON.stringify(message).',
  )
}

/** Returns the number of bytes of a message. */
export function sizeOf(data: WebSocketData): number {
  if (typeof data === 'string') return new TextEncoder().encode(data).byteLength
  return isBlob(data) ? data.size : data.byteLength
}

/**
 * Converts a message for its receiver: bytes have the type that `binaryType` sets.
 *
 * @see https://websockets.spec.whatwg.org/#feedback-from-the-protocol
 */
export function toReceived(data: WebSocketData, binaryType: BinaryType): ReceivedData | Promise<ReceivedData> {
  if (typeof data === 'string') return data
  if (isBlob(data)) return binaryType === 'blob' ? data : data.arrayBuffer()
  const bytes = isArrayBuffer(data) ? data : data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  return binaryType === 'blob' ? new Blob([bytes]) : bytes
}

type ReceivedData = string | Blob | ArrayBuffer

// Check tags instead of `instanceof`, because a value may belong to another window or to jsdom's realm.
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function isBlob(value: unknown): value is Blob {
  return value instanceof Blob || ['Blob', 'File'].includes(tagOf(value))
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return tagOf(value) === 'ArrayBuffer'
}

/** Creates the same kind of view, over only its part of the buffer. */
function copyView(view: ArrayBufferView): ArrayBufferView<ArrayBuffer> {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) as ArrayBuffer
  // The tag of Node's Buffer is Uint8Array.
  const View = Reflect.get(globalThis, tagOf(view)) as new (buffer: ArrayBuffer) => ArrayBufferView<ArrayBuffer>
  return new View(bytes)
}
