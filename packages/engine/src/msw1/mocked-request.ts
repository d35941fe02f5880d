import { failure } from '../core/failure.ts'
import type { ResolverInfo } from '../core/handlers/request-handler.ts'
import { Headers, Request } from '../core/platform.ts'
import type { DefaultBodyType } from '../core/responses/http-response.ts'
import type { MockedResponse } from './mocked-response.ts'
import { parseBody } from './parse-body.ts'

/** Request headers, with the two additional methods of MSW 1. */
export class RequestHeaders extends Headers {
  readonly #sent: string | null
  readonly #shown: string | null

  constructor(headers: Headers) {
    super(headers)
    this.#sent = super.get('cookie')
    // A copy of the headers lacks the cookies, which a request computes when the header is read by name.
    this.#shown = headers.get('cookie')
  }

  override get(name: string): string | null {
    const value = super.get(name)
    // The constructor of the base class may call this before the field is set.
    if (!(#shown in this)) return value
    return String(name).toLowerCase() === 'cookie' && value === this.#sent ? this.#shown : value
  }

  override has(name: string): boolean {
    return this.get(name) !== null
  }

  /** Returns all headers, by their names in lower case. */
  all(): Record<string, string> {
    return Object.fromEntries(this)
  }

  /** The same as {@link all}, because the original case of the names is unknown. */
  raw(): Record<string, string> {
    return this.all()
  }
}

/**
 * `req`, the first argument of an MSW 1 resolver. The body can be read synchronously and repeatedly (`req.body`), and
 * once with `json()`, `text()` or `arrayBuffer()`.
 *
 * The caller assigns the members of the current resolver argument (`request`, `params`, `cookies`, …).
 */
export class MockedRequest<RequestBody = DefaultBodyType> {
  declare readonly request: Request
  declare readonly requestId: string
  declare readonly url: URL
  declare readonly cookies: Record<string, string>
  readonly #info: ResolverInfo
  #headers: RequestHeaders | undefined
  #bytes: Promise<ArrayBuffer> | undefined
  #body: unknown
  #isBodyUsed = false

  /** @param info the resolver's argument, including the part of the protocol */
  constructor(info: ResolverInfo) {
    this.#info = info
    // Copy the getters, not their values, which are computed on the first read.
    Object.defineProperties(this, Object.getOwnPropertyDescriptors(info))
  }

  get id(): string {
    return this.requestId
  }
  get method(): string {
    return this.request.method
  }
  get headers(): RequestHeaders {
    return (this.#headers ??= new RequestHeaders(this.request.headers))
  }
  get cache(): RequestCache {
    return this.request.cache
  }
  get credentials(): RequestCredentials {
    return this.request.credentials
  }
  get destination(): RequestDestination {
    return this.request.destination
  }
  get integrity(): string {
    return this.request.integrity
  }
  get keepalive(): boolean {
    return this.request.keepalive
  }
  get mode(): RequestMode {
    return this.request.mode
  }
  get redirect(): RequestRedirect {
    return this.request.redirect
  }
  get referrer(): string {
    return this.request.referrer
  }
  get referrerPolicy(): ReferrerPolicy {
    return this.request.referrerPolicy
  }

  /**
   * The body by its type: parsed JSON, a multipart form as a record, anything else as text; `undefined` for a GET
   * without a body.
   */
  get body(): RequestBody {
    return this.#body as RequestBody
  }

  /** Whether `json()`, `text()` or `arrayBuffer()` was called. */
  get bodyUsed(): boolean {
    return this.#isBodyUsed
  }

  json(): ReturnType<Request['json']>
  json<Body>(): Promise<Body>
  async json(): Promise<unknown> {
    return JSON.parse(decode(await this.#take('json')))
  }

  async text(): Promise<string> {
    return decode(await this.#take('text'))
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.#take('arrayBuffer')).slice()
  }

  /** Returns a copy whose body was not read yet. */
  clone(): MockedRequest<RequestBody> {
    const copy = new MockedRequest<RequestBody>(this.#info)
    copy.#headers = new RequestHeaders(this.headers)
    copy.#bytes = this.#bytes
    copy.#body = this.#body
    return copy
  }

  /** Sends the request to the network unchanged. Return the result from the resolver. */
  passthrough(): MockedResponse {
    return { status: 200, statusText: '', headers: new Headers(), body: null, once: false, passthrough: true }
  }

  /** Returns the platform's request, with the current headers. */
  toRequest(): Request {
    return new Request(this.request.clone(), this.#headers && { headers: this.#headers })
  }

  /** Reads the body for {@link body}. */
  async readBody(): Promise<this> {
    this.#body = await parseBody(await this.#read(), this.request)
    return this
  }

  #read(): Promise<ArrayBuffer> {
    // Read a copy, because the resolver may read `request` itself.
    return (this.#bytes ??= this.request.clone().arrayBuffer())
  }

  #take(method: string): Promise<ArrayBuffer> {
    if (this.#isBodyUsed) {
      return Promise.reject(
        new TypeError(
          failure('US0223', `execute '${method}' on the request`, 'its body was already read', 'Read req.clone().')
            .message,
        ),
      )
    }
    this.#isBodyUsed = true
    return this.#read()
  }
}

function decode(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes)
}
