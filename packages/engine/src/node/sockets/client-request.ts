import type { IncomingMessage } from 'node:http'
import net from 'node:net'

import { createAbortController } from '../../core/abort-controller.ts'
import { Request } from '../../core/platform.ts'
import type { Connection } from './connection.ts'
import { createStream, toPairs } from './real-request.ts'

/** A client's request for handlers. */
export interface ClientRequest {
  readonly request: Request
  /** Aborts its signal. */
  readonly abort: () => void
  /** Discards a body that no code read, when the response is sent. */
  readonly finish: () => void
}

/** @throws if the request has no URL */
export function urlOf(connection: Connection, incoming: IncomingMessage): URL {
  const target = incoming.url ?? '/'
  // A client of a proxy sends the whole URL.
  if (/^https?:\/\//i.test(target)) return new URL(target)
  return new URL(connection.origin + (target === '*' ? '/*' : target))
}

/**
 * Returns the URL with the name of the server, if the client resolved the name itself and connects to its address. Only
 * the `Host` header has the name then. undici 6 leaves the port out of it, even if it is not the default port. Returns
 * `undefined` for a header with another port: a client may send any host.
 */
export function namedUrlOf(url: URL, { headers: { host } }: IncomingMessage): URL | undefined {
  if (host === undefined || host === url.host || !isAddress(url) || /[\s/?#@\\]/.test(host)) return undefined
  const text = `${url.protocol}//${host}${url.pathname}${url.search}`
  if (!URL.canParse(text)) return undefined
  const named = new URL(text)
  if (!/:\d*$/.test(host)) named.port = url.port
  return named.port === url.port && !isAddress(named) ? named : undefined
}

function isAddress({ hostname }: URL): boolean {
  return net.isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/**
 * @param credentials the credentials mode of a page's `XMLHttpRequest`
 * @throws if `Request` rejects the data
 */
export function createRequest(
  url: URL,
  incoming: IncomingMessage,
  credentials: RequestCredentials | undefined,
): ClientRequest {
  const method = incoming.method ?? 'GET'
  const isForbidden = ['CONNECT', 'TRACE', 'TRACK'].includes(method)
  const controller = createAbortController()
  const body =
    hasBody(incoming) && method !== 'GET' && method !== 'HEAD' && !isForbidden
      ? readBody(incoming, controller)
      : undefined
  const init: RequestInit & { duplex: 'half' } = {
    method: isForbidden ? 'OPTIONS' : method,
    headers: toPairs(incoming.rawHeaders),
    body: body?.stream ?? null,
    duplex: 'half',
    signal: controller.signal,
    ...(credentials && { credentials }),
  }
  const request = new Request(url, init)
  if (isForbidden) Object.defineProperty(request, 'method', { value: method })
  return { request, abort: () => controller.abort(), finish: () => body?.finish() }
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && Number(length) !== 0)
}

/** A body with backpressure: it is received only as it is read. */
interface ReadBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /**
   * Call this when the response was sent. Discards the rest of an unread body; otherwise, the next request on the
   * connection waits for it.
   */
  readonly finish: () => void
}

/** @param controller aborts the request when the body ends early, because the client has left */
function readBody(incoming: IncomingMessage, controller: AbortController): ReadBody {
  let isOpen = true
  let isRead = false
  let isFinished = false
  const drop = (): void => {
    isOpen = false
    incoming.resume()
  }
  const stream = createStream(
    {
      start(body) {
        incoming.on('data', (chunk: Buffer) => {
          if (!isOpen) return
          body.enqueue(new Uint8Array(chunk))
          if (!isFinished) incoming.pause()
        })
        incoming.on('end', () => {
          if (isOpen) body.close()
          isOpen = false
        })
        incoming.on('close', () => {
          if (!isOpen) return
          isOpen = false
          controller.abort()
          body.error(controller.signal.reason)
        })
        incoming.on('error', () => {})
        incoming.pause()
      },
      pull() {
        isRead = true
        incoming.resume()
      },
      cancel: drop,
    },
    { highWaterMark: 0 },
  )
  const finish = (): void => {
    isFinished = true
    if (isRead) incoming.resume()
    else drop()
  }
  return { stream, finish }
}
