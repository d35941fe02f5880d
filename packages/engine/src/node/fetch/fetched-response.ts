import { STATUS_CODES } from 'node:http'

import { createWithFacts, factsOf, type WithFacts } from '../../core/fetch/fetched-response.ts'
import { isFetched } from '../../core/fetch/is-fetched.ts'
import { discardBody, onStreamEnd } from '../../core/handlers/finalizers.ts'
import { Headers, Response } from '../../core/platform.ts'
import { abortableBody } from './abortable-body.ts'
import { decompress } from './decompress.ts'
import type { FetchCall } from './fetch-call.ts'

/** Immutable headers, as responses of `fetch` have them. */
class FetchedHeaders extends Headers {
  override append(): never {
    throw new TypeError('immutable')
  }

  override delete(): never {
    throw new TypeError('immutable')
  }

  override set(): never {
    throw new TypeError('immutable')
  }
}
Object.defineProperty(FetchedHeaders.prototype, 'constructor', { value: Headers })

const nativeHeaders = Object.getOwnPropertyDescriptor(Response.prototype, 'headers')

const withFacts: WithFacts = createWithFacts({
  headers: {
    configurable: true,
    enumerable: true,
    get(this: Response): Headers {
      const headers = nativeHeaders?.get?.call(this) as Headers
      if (!(headers instanceof FetchedHeaders)) Object.setPrototypeOf(headers, FetchedHeaders.prototype)
      return headers
    },
  },
})

/** Marks a fetched response as redirected, because the platform did not follow the mocked redirects before it. */
export function toRedirectedResponse(response: Response, { isCrossOrigin }: FetchCall): Response {
  return withFacts(response, { url: response.url, redirected: true, type: isCrossOrigin ? 'cors' : 'basic' })
}

/**
 * Passes copies of a response of the network to listeners. Returns the response for the caller of `fetch`: a caller that
 * cancels the body does not wait for listeners, and the copies that none of them has read end with it.
 */
export function shareResponse(response: Response, call: FetchCall, onResponse: (copy: Response) => void): Response {
  const copy = response.clone()
  const copies = [copy]
  const clone = (): Response => {
    const added = Response.prototype.clone.call(copy)
    copies.push(added)
    return added
  }
  onResponse(Object.defineProperty(copy, 'clone', { value: clone, configurable: true }))
  const { body, url, redirected, type, status, statusText, headers } = response
  // The constructor of `Response` refuses other statuses.
  if (!body || status < 200 || status > 599) return response
  const leave = (isCancelled: boolean): false => {
    if (isCancelled) for (const { body: copied } of copies) if (!copied?.locked) discardBody(copied)
    return false
  }
  // A copy that was read has also buffered the body for the caller, so that an abort no longer ends it.
  const ended = onStreamEnd(body, leave)
  const shared = new Response(call.isAbortable ? (abortableBody(call.request, ended) as typeof ended) : ended, {
    status,
    statusText,
    headers,
  })
  return withFacts(shared, { url, redirected, type })
}

/** Makes a mocked response look like a response of `fetch`. */
export function toFetchedResponse(mocked: Response, call: FetchCall): Response {
  return withFacts(withBody(mocked, toFetchedBody(mocked, call)), {
    url: withoutHash(call.href),
    redirected: call.redirects > 0,
    // Node has no origin. The origin of the first request counts as its origin.
    type: call.isCrossOrigin ? 'cors' : 'basic',
  })
}

function withoutHash(href: string): string {
  const start = href.indexOf('#')
  return start < 0 ? href : href.slice(0, start)
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>> | null

function withBody(mocked: Response, body: Body): Response {
  const { status, headers } = mocked
  // The answer to an upgrade in Cloudflare's `workerd`: only the runtime creates responses with this status.
  if (status === 101) return mocked
  // The platform's `Response` has an empty text. A server sends the standard one.
  const statusText = mocked.statusText || (STATUS_CODES[status] ?? '')
  if (body !== mocked.body || statusText !== mocked.statusText) {
    return new Response(body, { status, statusText, headers })
  }
  // A resolver may return the same response without a body several times.
  return factsOf(mocked) ? mocked.clone() : mocked
}

function toFetchedBody(mocked: Response, call: FetchCall): Body {
  const { body, headers } = mocked
  if (body === null) return null
  if (call.method === 'HEAD') {
    discardBody(body)
    return null
  }
  // The body of a response of `fetch` is already decoded.
  const codings = isFetched(mocked) ? null : headers.get('content-encoding')
  const decoded = codings ? decompress(body, codings) : body
  return call.isAbortable ? (abortableBody(call.request, decoded) as typeof decoded) : decoded
}
