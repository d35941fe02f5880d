import { Headers, Response } from '../core/platform.ts'
import { decompress } from './decompress.ts'
import type { FetchCall } from './fetch-call.ts'

/** What `fetch` knows of a response, and the response's own constructor cannot be told. */
interface Fetched {
  /** Without a fragment. */
  readonly url: string
  readonly redirected: boolean
  readonly type: ResponseType
}

/** On a response: what its fetch was. (Collecting what a `WeakMap` knows costs more.) */
const facts: unique symbol = Symbol('facts of the fetch')

function factsOf(response: Response): Fetched | undefined {
  return (response as { [facts]?: Fetched })[facts]
}

/** Headers that cannot be changed, as those of a response that `fetch` gives. */
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

/** What a mocked response becomes: a `Response` with what the platform's own `fetch` sets. */
class FetchedResponse extends Response {
  override get url(): string {
    return factsOf(this)?.url ?? ''
  }

  override get redirected(): boolean {
    return factsOf(this)?.redirected ?? false
  }

  override get type(): ResponseType {
    return factsOf(this)?.type ?? 'basic'
  }

  /** What came from a network cannot be changed. */
  override get headers(): Headers {
    const headers = super.headers
    if (!(headers instanceof FetchedHeaders)) Object.setPrototypeOf(headers, FetchedHeaders.prototype)
    return headers
  }

  override clone(): Response {
    return withFacts(super.clone(), factsOf(this))
  }
}
// To those who look, it is the platform's class.
Object.defineProperty(FetchedResponse.prototype, 'constructor', { value: Response })

/** Gives a response the facts of its fetch, in place: most responses are read by nobody but the caller of `fetch`. */
function withFacts(response: Response, fetched: Fetched | undefined): Response {
  if (!fetched) return response
  Object.setPrototypeOf(response, FetchedResponse.prototype)
  Object.defineProperty(response, facts, { value: fetched, configurable: true })
  return response
}

/** Marks what the platform fetched as the end of redirects that it did not follow itself. */
export function toRedirectedResponse(response: Response, { isCrossOrigin }: FetchCall): Response {
  return withFacts(response, { url: response.url, redirected: true, type: isCrossOrigin ? 'cors' : 'basic' })
}

/** A mocked response as `fetch` gives it out. */
export function toFetchedResponse(mocked: Response, call: FetchCall): Response {
  const { href, hash } = call.url
  return withFacts(withBody(mocked, toFetchedBody(mocked, call)), {
    url: hash === '' ? href : href.slice(0, -hash.length),
    redirected: call.redirects > 0,
    // Node has no origin of its own: what a request begins with counts as that.
    type: call.isCrossOrigin ? 'cors' : 'basic',
  })
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>> | null

function withBody(mocked: Response, body: Body): Response {
  if (body !== mocked.body) {
    const { status, statusText, headers } = mocked
    return new Response(body, { status, statusText, headers })
  }
  // A resolver may return the same response, without a body, again and again.
  return factsOf(mocked) ? mocked.clone() : mocked
}

function toFetchedBody({ body, headers }: Response, { request, isAbortable }: FetchCall): Body {
  if (body === null) return null
  if (request.method === 'HEAD') {
    void body.cancel()
    return null
  }
  const codings = headers.get('content-encoding')
  const decoded = codings ? decompress(body, codings) : body
  return isAbortable ? decoded.pipeThrough(new TransformStream(), { signal: request.signal }) : decoded
}
