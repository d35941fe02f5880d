import { mergeCookies, parseCookies } from '../cookies/cookie-header.ts'
import type { CookieJar } from '../cookies/cookie-jar.ts'
import { showCookies } from '../cookies/show-cookies.ts'
import { matchPath } from '../routing/match-path.ts'
import type { MatchedParams, PathPattern } from '../routing/path-pattern.ts'

/**
 * Reads or copies the body of a request without `clone()`, which splits a stream in two and takes longer than the whole
 * decision about the request.
 */
export interface RequestBody {
  /** Returns the text of the body, and leaves the body unread for others. Rejects if it cannot be read. */
  text(): string | Promise<string>
  /** Returns a copy of the request with a separate body. */
  copy(): Request
}

/**
 * A request without headers and body that its client cannot abort, such as `fetch(url)`. Its source creates the `Request`
 * on the first read, because most handlers read only the URL.
 */
export interface BareRequest {
  /** As in `Request.method`. */
  readonly method: string
  /** Resolvers get this object, and may change it. */
  readonly url: URL
  readonly request: Request
}

/** A request for handlers. Its parts are parsed once, on first use. */
export class IncomingRequest {
  readonly #given: Request | BareRequest
  /** The request, unless it is bare: a bare request has no headers, no marks and no signal. */
  readonly fullRequest: Request | undefined
  readonly id: string
  /** Upper case: `fetch` sends `patch` as it is given, and handlers of `PATCH` answer it. */
  readonly method: string
  readonly url: URL
  readonly baseUrl: string | undefined
  /** The name that a protocol gives the request, such as `query GetUser`. */
  readAs: { readonly name: string; readonly suggestion: string } | undefined
  #memo: Map<symbol, unknown> | undefined
  readonly #jar: CookieJar | undefined
  readonly #body: RequestBody | undefined
  #cookieHeader: string | undefined
  #cookies: Record<string, string> | undefined

  /** @param body reads or copies the request's body faster than `clone()`, if the source provides this */
  constructor(
    given: Request | BareRequest,
    id: string,
    jar: CookieJar | undefined,
    baseUrl: string | undefined,
    body?: RequestBody,
  ) {
    this.id = id
    this.method = given.method.toUpperCase()
    this.#given = given
    this.fullRequest = isBare(given) ? undefined : given
    this.url = isBare(given) ? given.url : new URL(given.url)
    this.baseUrl = baseUrl
    this.#jar = jar
    this.#body = body
  }

  get request(): Request {
    return this.fullRequest ?? (this.#given as BareRequest).request
  }

  /** Values that a protocol parses once for each request, such as a GraphQL document, by the protocol's symbol. */
  get memo(): Map<symbol, unknown> {
    return (this.#memo ??= new Map())
  }

  /** Returns the parameters of a path, or `null` if the request does not match it. */
  matchPath(pattern: PathPattern): MatchedParams | null {
    return matchPath(pattern, this.url)
  }

  /** The cookies of the request, by name. */
  get cookies(): Record<string, string> {
    return (this.#cookies ??= parseCookies(this.#readCookieHeader()))
  }

  /** Returns the `Cookie` header that a server would get. */
  #readCookieHeader(): string {
    const { request } = this
    return (this.#cookieHeader ??= mergeCookies(
      request.headers.get('cookie') ?? '',
      this.#jar?.headerFor(request) ?? '',
    ))
  }

  /** Creates a request for a part of this one. It has the same id and its own cookies. */
  part(request: Request): IncomingRequest {
    return new IncomingRequest(request, this.id, this.#jar, this.baseUrl)
  }

  /** Returns a {@link copy} for handlers. Its headers contain the cookies. */
  copyWithCookies(): Request {
    const copy = this.copy()
    // To change the headers takes longer than to create the request.
    return this.#jar?.isEmpty === false ? showCookies(copy, () => this.#readCookieHeader()) : copy
  }

  /** Returns a copy of the request. Reading its body leaves the body for others. */
  copy(): Request {
    if (this.request.body === null) return this.request
    return this.#body?.copy() ?? this.request.clone()
  }

  /** Returns the text of the request's body, and leaves the body for others. */
  text(): string | Promise<string> {
    return this.#body?.text() ?? this.copy().text()
  }
}

/** The `url` of a `Request` is text. A check of the class would fail for requests of other realms. */
function isBare(given: Request | BareRequest): given is BareRequest {
  return typeof given.url !== 'string'
}
