import { throwIfAborted } from '../../core/abort-controller.ts'
import { readRedirect } from '../../core/fetch/redirect.ts'
import type { BareRequest, RequestBody } from '../../core/handlers/incoming-request.ts'
import { Request } from '../../core/platform.ts'
import { isBypassed, removeBypassMark } from '../../core/responses/bypass-marks.ts'
import { sendDecided } from '../decided-requests.ts'
import { unwatchedDispatcher } from '../sockets/global-dispatcher.ts'
import { abortableBody } from './abortable-body.ts'
import { adoptSignal } from './foreign-arguments.ts'
import type { FetchInput, NodeFetch, NodeRequestInit } from './node-fetch.ts'
import { checkByPlatform, lengthMismatch, mayBeRefused } from './platform-check.ts'

/** The arguments of a `fetch` call: as a request for handlers, and unchanged for the network. */
export class FetchCall {
  /** Handlers may change it. */
  readonly url: URL
  /** The URL as text. */
  readonly href: string
  /** Upper case. */
  readonly method: string
  readonly redirect: RequestRedirect
  /** Whether the call has a signal that can abort it. */
  readonly isAbortable: boolean
  /** The number of redirects before this call. */
  readonly redirects: number
  /** Whether a redirect led to another origin than that of the first call. */
  readonly isCrossOrigin: boolean
  /** The hashes, of which the body must have one; `''`: no check. */
  readonly integrity: string
  readonly #input: FetchInput
  readonly #init: NodeRequestInit
  /** The dispatcher that the caller passed. */
  readonly #dispatcher: unknown
  readonly #isStreamed: boolean
  /** Whether the caller made it by `bypass()`: no handler answers it, nor what it is redirected to. */
  readonly #isBypassed: boolean
  /** Whether Node's own `fetch` sends it. */
  readonly #isOfNode: boolean
  /** Whether the caller chose headers. */
  readonly #hasHeaders: boolean
  /** Whether the call has no options. */
  readonly #isBare: boolean
  /** The value from which the body is created; `undefined`: only this request can send it. */
  readonly #source: BodyInit | null | undefined
  #request: Request | undefined

  /**
   * @param from the call that was redirected to this one, or whether Node's own `fetch` sends it
   * @throws if `Request` rejects the arguments
   */
  constructor(url: URL, input: FetchInput, init: NodeRequestInit, from: FetchCall | { isOfNode: boolean }) {
    const before = from instanceof FetchCall ? from : undefined
    const given = input instanceof Request ? input : undefined
    const body = init.body ?? null
    this.url = url
    this.href = url.href
    this.method = (init.method ?? given?.method ?? 'GET').toUpperCase()
    this.redirect = init.redirect ?? given?.redirect ?? 'follow'
    this.isAbortable = given !== undefined || init.signal != null
    this.redirects = before ? before.redirects + 1 : 0
    this.isCrossOrigin = before !== undefined && (before.isCrossOrigin || new URL(before.href).origin !== url.origin)
    this.integrity = init.integrity ?? given?.integrity ?? ''
    this.#dispatcher = init.dispatcher
    this.#isOfNode = from instanceof FetchCall ? from.#isOfNode : from.isOfNode
    this.#hasHeaders = given !== undefined || init.headers != null
    // The platform rejects the others.
    this.#isBare = !given && isEmpty(init) && url.username === '' && url.password === ''
    this.#isStreamed = body !== null && !isRepeatable(body)
    const isOfRequest = body === null && given?.body != null
    this.#source = this.#isStreamed || isOfRequest ? undefined : body
    this.#isBypassed = given !== undefined && isBypassed(given.headers)
    if (this.#source === undefined || this.#isBypassed || !isPlain(init)) {
      // Handlers and the network share this request, because its body cannot be created twice, or because it was changed.
      const request = new Request(input, init)
      this.#input = this.#request = this.#isStreamed && init.signal ? toAbortable(request) : request
      this.#init = {}
    } else {
      this.#input = input
      this.#init = init
    }
  }

  /** The call itself, if it has no options. */
  get bare(): BareRequest | undefined {
    return this.#isBare ? this : undefined
  }

  /** The request for handlers. They read copies of its body. */
  get request(): Request {
    return (this.#request ??= new Request(this.#input, this.#init))
  }

  /** @throws the reason if the caller has aborted the request */
  throwIfAborted(): void {
    if (this.isAbortable) throwIfAborted(this.request.signal)
  }

  /**
   * Rejects requests that Node's own `fetch` rejects before it sends them.
   *
   * @returns `undefined`, or a promise that rejects with the error of `fetch`
   */
  check(fetch: NodeFetch): Promise<void> | undefined {
    if (!this.#isOfNode || !this.#hasHeaders) return undefined
    const { request } = this
    const mismatch = lengthMismatch(request, lengthOf(this.#source))
    const refused = mismatch && new TypeError('fetch failed', { cause: mismatch })
    if (!mayBeRefused(request.headers)) return refused && Promise.reject(refused)
    return checkByPlatform(fetch, request).then(() => (refused ? Promise.reject(refused) : undefined))
  }

  /** The body, if it was given as text, which cannot change. */
  get body(): RequestBody | undefined {
    const text = this.#source
    if (typeof text !== 'string') return undefined
    return { text: () => text, copy: () => new Request(this.request, withBody(text)) }
  }

  /**
   * Sends the request to the network, with the caller's own arguments if possible: on connections that are not intercepted,
   * or through the dispatcher of the call or of the process (a proxy, certificates).
   * Returns a redirect as the response if {@link redirected} can follow it.
   */
  send(fetch: NodeFetch): Promise<Response> {
    if (this.#input === this.#request) removeBypassMark(this.#request.headers)
    const init: NodeRequestInit = { ...this.#init }
    const follows = this.redirect === 'follow' && !this.#isBypassed
    // Only Node can send the body of a Request again, and it checks the integrity of whatever comes back.
    const isOurs = follows && (this.#source !== undefined || this.#isStreamed) && this.integrity === ''
    if (isOurs) init.redirect = 'manual'
    // What Node follows itself may lead to a mocked URL: it must stay on connections that are intercepted.
    const isLast = isOurs || !follows
    const unwatched = isLast && this.#dispatcher === undefined ? unwatchedDispatcher() : undefined
    if (unwatched) init.dispatcher = unwatched
    else if (this.#dispatcher !== undefined) init.dispatcher = this.#dispatcher
    if (unwatched && this.#isOfNode) return fetch(this.#input, init)
    return sendDecided({ method: this.method, url: new URL(this.href), isBypassed: this.#isBypassed }, async () =>
      fetch(await this.#forOthers(), init),
    )
  }

  /** Whether handlers can be asked when it is written to a connection: Node's own `fetch` opens it, not the app's dispatcher. */
  get isWatchable(): boolean {
    return this.#isOfNode && !this.#isBypassed && this.#dispatcher === undefined && unwatchedDispatcher() !== undefined
  }

  /**
   * Sends the request as the caller made it. Handlers are asked when it is written to its connection: undici has reported it
   * by then to the tools that trace requests, and those have added their headers.
   */
  sendUndecided(fetch: NodeFetch): Promise<Response> {
    return fetch(this.#input, this.#init)
  }

  /** Returns the input for a replaced `fetch`, which may have its own `Request` class. */
  async #forOthers(): Promise<FetchInput> {
    const input = this.#input
    const { Request: OtherRequest } = globalThis
    if (this.#isOfNode || OtherRequest === Request || !(input instanceof Request)) return input
    const { url, method, headers, body, redirect } = input
    const bytes = body === null ? {} : { body: await input.arrayBuffer() }
    return new OtherRequest(url, { method, headers: Object.fromEntries(headers), redirect, ...bytes })
  }

  /**
   * Returns the call that follows a redirect.
   *
   * @throws an error, which becomes the cause of the network error
   */
  async redirected(response: Response): Promise<FetchCall> {
    const becomesGet = response.status === 303
    if (this.#isStreamed && !becomesGet) throw new Error('a streamed body cannot be sent again')
    const body = this.#source === undefined && !becomesGet ? await readBody(this.request) : (this.#source ?? null)
    const { url, init } = readRedirect(this.request, response, body, this.redirects)
    const signal = this.isAbortable && adoptSignal({ signal: this.request.signal })
    const dispatcher = this.#dispatcher !== undefined && { dispatcher: this.#dispatcher }
    return new FetchCall(url, url.href, { ...init, ...signal, ...dispatcher, duplex: 'half' }, this)
  }
}

/**
 * Reads the body of a request, to send it again.
 *
 * @throws if it was given as a stream, which Node does not send again either
 */
async function readBody(request: Request): Promise<ArrayBuffer | null> {
  if (request.body === null) return null
  // Only this shows whether it was a stream: the constructor refuses a stream in this mode.
  return new Request(request, { method: 'POST', mode: 'no-cors' }).arrayBuffer()
}

/** Returns the same request with a body that fails when its signal aborts. */
function toAbortable(request: Request): Request {
  const { body } = request
  return body
    ? new Request(request, { body: abortableBody(request, body), duplex: 'half' } as NodeRequestInit)
    : request
}

/** A separate function, because a lint rule rejects a `body` without a `method`. The method is that of the request. */
function withBody(body: string): RequestInit {
  return { body }
}

/** Returns the number of bytes of a body, if its value shows it. */
function lengthOf(body: BodyInit | null | undefined): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? body.byteLength : undefined
}

/** Returns whether another body can be created from the same value. */
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

/** Returns whether options have no member. */
function isEmpty(init: object): boolean {
  for (const _ in init) return false
  return isPlain(init)
}

/** Returns whether a spread copy of an object has all of its members. A `Request` has them in its prototype. */
function isPlain(init: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(init)
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}
