import { mergeCookies, parseCookies } from '../cookies/cookie-header.ts'
import type { CookieJar } from '../cookies/cookie-jar.ts'
import { showCookies } from '../cookies/show-cookies.ts'
import type { RequestBody } from './request-body.ts'

/** A request on its way through the handlers. What is parsed of it is parsed once, when first asked for. */
export class IncomingRequest {
  readonly request: Request
  readonly id: string
  readonly method: string
  readonly url: URL
  readonly baseUrl: string | undefined
  /** What a protocol read the request as, where it knows better than method and URL how to name it. */
  readAs: { readonly name: string; readonly suggestion: string } | undefined
  #memo: Map<symbol, unknown> | undefined
  readonly #jar: CookieJar | undefined
  readonly #body: RequestBody | undefined
  #cookieHeader: string | undefined
  #cookies: Record<string, string> | undefined

  /** @param body a shorter way to the request's body than a copy made by `clone()`, where the source has one */
  constructor(
    request: Request,
    id: string,
    jar: CookieJar | undefined,
    baseUrl: string | undefined,
    body?: RequestBody,
  ) {
    this.request = request
    this.id = id
    this.method = request.method
    this.url = new URL(request.url)
    this.baseUrl = baseUrl
    this.#jar = jar
    this.#body = body
  }

  /** Room for what a protocol parses once for each request (a GraphQL document), by a symbol of its own. */
  get memo(): Map<symbol, unknown> {
    return (this.#memo ??= new Map())
  }

  /** The cookies that the request carries. Without a prototype: a cookie may be named `__proto__`. */
  get cookies(): Record<string, string> {
    return (this.#cookies ??= parseCookies(this.#readCookieHeader()))
  }

  /** The `Cookie` header that a server would get. */
  #readCookieHeader(): string {
    const { request } = this
    return (this.#cookieHeader ??= mergeCookies(
      request.headers.get('cookie') ?? '',
      this.#jar?.headerFor(request) ?? '',
    ))
  }

  /** A request that this one wraps: it has the same id, and the cookies that it would carry itself. */
  part(request: Request): IncomingRequest {
    return new IncomingRequest(request, this.id, this.#jar, this.baseUrl)
  }

  /** A {@link copy} for handlers: its headers tell the cookies. */
  copyWithCookies(): Request {
    return showCookies(this.copy(), () => this.#readCookieHeader())
  }

  /** The request for somebody who may read its body, while others still want it. */
  copy(): Request {
    if (this.request.body === null) return this.request
    return this.#body?.copy() ?? this.request.clone()
  }

  /** What the request's body says, while others still want it. */
  text(): string | Promise<string> {
    return this.#body?.text() ?? this.copy().text()
  }
}
