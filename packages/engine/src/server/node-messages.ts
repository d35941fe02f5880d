import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { createAbortController } from '../core/abort-controller.ts'
import { failure, type UnderstudyError } from '../core/failure.ts'
import { discardBody } from '../core/handlers/finalizers.ts'
import type { RequestBody } from '../core/handlers/incoming-request.ts'
import { unsendable } from '../core/responses/written-headers.ts'
import { serializeParsedBody } from './parsed-body.ts'

/** A request of Node, with the members that Express and body parsers add. */
export interface ParsedMessage extends IncomingMessage {
  readonly protocol?: string
  readonly body?: unknown
}

/** A request of Node, converted into a `Request`. */
export interface ReceivedRequest {
  readonly request: Request
  /** Reads the body faster than a clone of the request, if that is possible. */
  readonly body?: RequestBody
  /** Whether the message's own stream has been read. */
  readonly isStreamUsed: () => boolean
}

/**
 * Creates a `Request` from a message. The body is read from the message only when a handler reads it, so that the next
 * middleware can still read it. A body that a parser has already read is serialized again.
 *
 * @throws {MalformedRequestError} if the message has no valid host, or a method or URL that `Request` rejects
 */
export function toRequest(message: ParsedMessage): ReceivedRequest {
  const url = urlOf(message)
  try {
    return readRequest(message, url)
  } catch (error) {
    throw malformed(message, String((error as Error).message), error)
  }
}

/** Servers answer such a request with the status. Express and Connect read it from the error. */
export interface MalformedRequestError extends UnderstudyError {
  readonly status: 400
}

function malformed({ method, url }: ParsedMessage, reason: string, cause?: unknown): MalformedRequestError {
  const action = 'Correct the request of the client.'
  const error = failure('US1015', `read the request ${method} ${url}`, reason, action, cause ? { cause } : {})
  return Object.assign(error, { status: 400 as const })
}

/** Returns the URL that the client has requested. */
function urlOf(message: ParsedMessage): string {
  const { headers, socket, url: target = '/' } = message
  // Clients of a proxy send the whole URL, which takes precedence over the header (RFC 9112, section 3.2.2).
  if (/^https?:\/\//i.test(target)) return target
  const host = headers.host || 'localhost'
  const protocol = message.protocol ?? ('encrypted' in socket ? 'https' : 'http')
  const origin = `${protocol}://${host}`
  // These characters would move a part of the host into the path, or into user name and password.
  if (/[\s/?#@\\]/.test(host) || !URL.canParse(origin)) {
    throw malformed(message, `the header "Host" is ${JSON.stringify(host)}`)
  }
  // Do not resolve the path with `new URL(path, origin)`: a path may begin with two slashes.
  return `${origin}${target}`
}

function readRequest(message: ParsedMessage, url: string): ReceivedRequest {
  const { method = 'GET' } = message
  const fields = new Headers()
  for (const [name, value] of Object.entries(message.headersDistinct)) {
    for (const each of value ?? []) fields.append(name, each)
  }
  const signal = abortSignalOf(message)
  if (method === 'GET' || method === 'HEAD') {
    return { request: new Request(url, { method, headers: fields, signal }), isStreamUsed: () => false }
  }
  if (message.readableEnded) {
    const body = serializeParsedBody(message.body, fields)
    return { request: new Request(url, { method, headers: fields, signal, body }), isStreamUsed: () => false }
  }
  let reading: Promise<Uint8Array<ArrayBuffer>> | undefined
  const read = (): Promise<Uint8Array<ArrayBuffer>> => (reading ??= readAll(message))
  // `request.clone()` would start to read at once. These copies start to read when their body is read.
  const copy = (): Request => {
    const init: RequestInit & { duplex: 'half' } = {
      method,
      headers: fields,
      signal,
      body: lazyStream(read),
      duplex: 'half',
    }
    return new Request(url, init)
  }
  const body: RequestBody = { copy, text: async () => new TextDecoder().decode(await read()) }
  return { request: copy(), body, isStreamUsed: () => reading !== undefined }
}

async function readAll(message: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of message as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
}

function lazyStream(read: () => Promise<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await read()
        if (bytes.byteLength > 0) controller.enqueue(bytes.slice())
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

function abortSignalOf(message: IncomingMessage): AbortSignal {
  const controller = createAbortController()
  // A complete message emits `close`, too. Only an incomplete one was aborted.
  message.once('close', () => {
    if (!message.complete) controller.abort()
  })
  return controller.signal
}

/** A mocked response has no trailers, and Node refuses to announce them for a body with a length. */
const isLeftOut = /^(?:set-cookie|trailer)$/

/**
 * Sends a response. If its body fails, ends the connection.
 *
 * @throws {UnderstudyError} if Node refuses a header
 */
export async function sendResponse(response: Response, to: ServerResponse): Promise<void> {
  to.statusCode = response.status
  if (response.statusText) to.statusMessage = response.statusText
  const setCookies = response.headers.getSetCookie()
  try {
    for (const [name, value] of response.headers) if (!isLeftOut.test(name)) to.setHeader(name, value)
    if (setCookies.length > 0) to.setHeader('set-cookie', setCookies)
  } catch (cause) {
    discardBody(response.body)
    for (const name of to.getHeaderNames()) to.removeHeader(name)
    to.statusMessage = ''
    throw unsendable(to.req.method, to.req.url, cause)
  }
  if (!response.body || to.req.method === 'HEAD') {
    discardBody(response.body)
    to.end()
    return
  }
  to.flushHeaders()
  try {
    await pipeline(Readable.fromWeb(response.body as never), to)
  } catch {
    // The client has left, or the body has failed. Both end the connection.
    to.destroy()
  }
}
