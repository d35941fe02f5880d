import { readRedirect } from '../core/network/redirect.ts'
import type { RequestBody } from '../core/network/request-body.ts'
import { isBypassed, removeBypassMark } from '../core/responses/bypass.ts'
import { unwatchedDispatcher } from './global-dispatcher.ts'
import type { FetchInput, NodeFetch, NodeRequestInit } from './node-fetch.ts'

/** While sockets are watched, the global one also records how headers are spelt, which costs more than the request. */
const PlatformRequest = Request

/** What `fetch` was called with: a request to decide about, and one to perform. */
export class FetchCall {
  readonly url: URL
  /** Upper case. */
  readonly method: string
  readonly redirect: RequestRedirect
  /** Whether somebody holds a signal that can abort it. */
  readonly isAbortable: boolean
  /** How many redirects led here. */
  readonly redirects: number
  /** Whether a redirect led to another origin than that of the first call. */
  readonly isCrossOrigin: boolean
  /** Hashes of which the body must have one; `''`: any. */
  readonly integrity: string
  readonly #input: FetchInput
  readonly #init: NodeRequestInit
  readonly #isStreamed: boolean
  /** What the body is made of; `undefined`: only this one request can send it. */
  readonly #source: BodyInit | null | undefined
  #request: Request | undefined

  /**
   * @param before the call that was redirected to this one
   * @throws for arguments of which no request can be made
   */
  constructor(url: URL, input: FetchInput, init: NodeRequestInit = {}, before?: FetchCall) {
    const given = input instanceof Request ? input : undefined
    const body = init.body ?? null
    this.url = url
    this.method = (init.method ?? given?.method ?? 'GET').toUpperCase()
    this.redirect = init.redirect ?? given?.redirect ?? 'follow'
    this.isAbortable = given !== undefined || init.signal != null
    this.redirects = before ? before.redirects + 1 : 0
    this.isCrossOrigin = before !== undefined && (before.isCrossOrigin || before.url.origin !== url.origin)
    this.integrity = init.integrity ?? given?.integrity ?? ''
    this.#isStreamed = body !== null && !isRepeatable(body)
    const isOfRequest = body === null && given?.body != null
    this.#source = this.#isStreamed || isOfRequest ? undefined : body
    const isMarked = given !== undefined && isBypassed(given.headers)
    if (this.#source === undefined || isMarked || !isPlain(init)) {
      // Handlers and the network share this request, because no other can be made, or it needs a change.
      this.#input = this.#request = new PlatformRequest(input, init)
      this.#init = {}
    } else {
      this.#input = input
      this.#init = init
    }
  }

  /** As handlers see it. They read copies of its body. */
  get request(): Request {
    return (this.#request ??= new PlatformRequest(this.#input, this.#init))
  }

  /** A body that was given as text, which nobody can change any more. */
  get body(): RequestBody | undefined {
    const text = this.#source
    if (typeof text !== 'string') return undefined
    return { text: () => text, copy: () => new PlatformRequest(this.request, { body: text }) }
  }

  /**
   * Performs it, with the caller's own arguments where possible, on connections that no interceptor watches.
   * A redirect is the response, where {@link redirected} can follow it.
   */
  perform(fetch: NodeFetch): Promise<Response> {
    if (this.#input === this.#request) removeBypassMark(this.#request.headers)
    const init: NodeRequestInit = { ...this.#init, dispatcher: unwatchedDispatcher() }
    // Node checks the integrity of whatever comes back, and sends a body again only by itself.
    const isOurs = this.redirect === 'follow' && this.#source !== undefined && this.integrity === ''
    if (isOurs) init.redirect = 'manual'
    return fetch(this.#input, init)
  }

  /**
   * The call that a redirect asks for.
   *
   * @throws what becomes the cause of the network error
   */
  redirected(response: Response): FetchCall {
    if (this.#isStreamed && response.status !== 303) throw new Error('a streamed body cannot be sent again')
    const body = this.#source === undefined ? this.request.body : this.#source
    const { url, init } = readRedirect(this.request, response, body, this.redirects)
    const signal = this.isAbortable && { signal: this.request.signal }
    return new FetchCall(url, url.href, { ...init, ...signal, duplex: 'half' }, this)
  }
}

/** Whether another body can be made of the same value. */
function isRepeatable(body: BodyInit): boolean {
  return (
    typeof body !== 'object' ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof Blob ||
    body instanceof FormData ||
    body instanceof URLSearchParams
  )
}

/** Whether a copy of an object has what the object has. A `Request` may stand there too, with all in its prototype. */
function isPlain(init: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(init)
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}
