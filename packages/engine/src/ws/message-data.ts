import { failure } from '../core/failure.ts'
import { describe } from '../core/handlers/check-handlers.ts'

/** What a WebSocket carries: text, or bytes. */
export type WebSocketData = string | ArrayBuffer | Blob | ArrayBufferView<ArrayBuffer>

/**
 * Copies the data that an app sends, because the app may change its buffer after the call.
 *
 * @see https://websockets.spec.whatwg.org/#dom-websocket-send
 */
export function toSentData(value: unknown): WebSocketData {
  if (isBlob(value)) return value
  if (isArrayBuffer(value)) return value.slice(0)
  if (ArrayBuffer.isView(value)) return copyView(value)
  // Whatever else it is the platform sends as text: "[object Object]".
  return String(value).toWellFormed()
}

/**
 * What a handler sends, checked and copied.
 *
 * @param operation as it follows "Failed to"
 * @throws for what no WebSocket carries
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

/** How many bytes a message has on its way. */
export function sizeOf(data: WebSocketData): number {
  if (typeof data === 'string') return new TextEncoder().encode(data).byteLength
  return isBlob(data) ? data.size : data.byteLength
}

/**
 * A message as its receiver gets it: bytes as its `binaryType` says.
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

// By tags, not by `instanceof`: a value may come from another window, or jsdom's world.
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
  // Node's Buffer is tagged as the Uint8Array that it is.
  const View = Reflect.get(globalThis, tagOf(view)) as new (buffer: ArrayBuffer) => ArrayBufferView<ArrayBuffer>
  return new View(bytes)
}
