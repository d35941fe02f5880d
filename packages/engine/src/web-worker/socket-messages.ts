/**
 * The messages between a web worker that opens a WebSocket and the page that created the web worker.
 *
 * The web worker asks with a request to `socketPath`. The service worker passes it to the right page, as it does
 * with all other requests of the web worker. If a handler takes the connection, its messages use a `BroadcastChannel`
 * whose name the web worker has chosen. Both sides check what they receive: any script of the origin can post messages.
 *
 * A web worker that is terminated sends no message, and neither does a page that closes. So each side holds a Web Lock
 * while the connection exists, and requests the other's: it gets that lock when the other side no longer exists.
 */
import type { WebSocketData } from '../ws/message-data.ts'

/** The header of the page's answer, with a {@link SocketAnswer}. A response without it is not from a page that mocks. */
export const answerHeader = 'understudy-web-socket'

/** Who opens a connection: the page, with its handlers, or the platform. */
export type SocketAnswer = 'mocked' | 'unmocked'

/** The body of the request, as JSON. */
export interface SocketQuestion {
  /** The name of the channel and of the web worker's lock. */
  readonly channel: string
  /** Whether the web worker holds its lock. */
  readonly isLocked: boolean
  /** Absolute; `ws:` or `wss:`. */
  readonly url: string
  /** In the form in which the app passed them. */
  readonly protocols: string | readonly string[] | null
  readonly binaryType: BinaryType
}

/** Web worker to page. */
export type MessageOfWorker =
  | { readonly type: 'send'; readonly data: WebSocketData }
  | { readonly type: 'close'; readonly code: number; readonly reason: string }

/** Page to web worker. */
export type MessageOfPage =
  | { readonly type: 'open'; readonly protocol: string; readonly extensions: string }
  | { readonly type: 'message'; readonly data: WebSocketData }
  /** The connection failed, and continues to exist. */
  | { readonly type: 'error' }
  /** Of the bytes of the web worker, how many the page has received, and how many wait there for the real server. */
  | { readonly type: 'received'; readonly bytes: number; readonly buffered: number }
  | {
      readonly type: 'close'
      readonly code: number
      readonly reason: string
      readonly wasClean: boolean
      readonly tellsError: boolean
    }

/** Returns the name of the page's lock for a connection. */
export function pageLock(channel: string): string {
  return `${channel}:page`
}

/** Parses the body of a request. Returns `undefined` if it is not a valid question. */
export function parseQuestion(body: ArrayBuffer | null): SocketQuestion | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body ?? new ArrayBuffer()))
    return isQuestion(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isQuestion(value: unknown): value is SocketQuestion {
  const { channel, isLocked, url, protocols, binaryType } = (value ?? {}) as Fields
  return (
    isString(channel) &&
    channel.startsWith(socketChannel) &&
    typeof isLocked === 'boolean' &&
    isString(url) &&
    /^wss?:/.test(url) &&
    URL.canParse(url) &&
    (protocols === null || isString(protocols) || (Array.isArray(protocols) && protocols.every(isString))) &&
    (binaryType === 'blob' || binaryType === 'arraybuffer')
  )
}

/** The start of the names of channels. */
export const socketChannel = 'understudy:web-worker-socket:'

export function isMessageOfWorker(value: unknown): value is MessageOfWorker {
  const { type, data, code, reason } = (value ?? {}) as Fields
  if (type === 'send') return isData(data)
  return type === 'close' && typeof code === 'number' && isString(reason)
}

export function isMessageOfPage(value: unknown): value is MessageOfPage {
  const { type, protocol, extensions, data, bytes, buffered, code, reason, wasClean, tellsError } = (value ??
    {}) as Fields
  switch (type) {
    case 'open':
      return isString(protocol) && isString(extensions)
    case 'message':
      return isData(data)
    case 'error':
      return true
    case 'received':
      return typeof bytes === 'number' && typeof buffered === 'number'
    default:
      return (
        type === 'close' &&
        typeof code === 'number' &&
        isString(reason) &&
        typeof wasClean === 'boolean' &&
        typeof tellsError === 'boolean'
      )
  }
}

type Fields = Readonly<Record<string, unknown>>

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isData(value: unknown): value is WebSocketData {
  return isString(value) || value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value)
}
