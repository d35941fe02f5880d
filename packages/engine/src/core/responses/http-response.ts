import { failure } from '../failure.ts'
import { Headers, Response } from '../platform.ts'
import { setNetworkErrorInit, type NetworkErrorInit } from './network-error.ts'
import { mark, marksOf, type KnownBody } from './response-marks.ts'
import { statusTextOf } from './status-text.ts'

/** A platform `Response`, with an unknown body type. */
export type PlainResponse = Response & { readonly '~body'?: never }

/**
 * Values that `JSON.stringify` accepts. Members of an object are `any`: with `unknown`, an interface would not be such
 * a value, and code could not read the members of a body without a declared type.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- `unknown` would refuse interfaces
export type JsonBodyType = Record<string, any> | string | number | boolean | null | undefined

/** Bodies that a request or a response may carry. Bytes and streams are objects too. */
export type DefaultBodyType = JsonBodyType | Record<string, FormDataEntryValue | FormDataEntryValue[]>

/**
 * Keeps TypeScript from inferring a body's type from the argument. The type then comes from the resolver's declared
 * response, and an argument that does not fit is reported at its property. The built-in `NoInfer` stays in the type
 * of the parameter, and the report is then about the whole argument.
 */
export type Declared<Body> = [Body][Body extends unknown ? 0 : never]

/** The declared type of a body of text; nothing fits where the resolver declares no text. */
type DeclaredText<Body> = Declared<Body extends string ? Body : never>

declare const nothing: unique symbol

/** Lets TypeScript infer a type from the argument, without allowing other arguments. */
type Inferred<Given> = Given extends typeof nothing ? Given : never

type Bytes = ArrayBufferLike | ArrayBufferView

/** A `Blob` or `File` of Node's modules. */
interface BlobLike {
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
}

/**
 * A body of which TypeScript knows no property: an `unknown` value that was compared with `undefined` or `null`. Code
 * generators write such bodies. The optional property refuses objects with properties of their own.
 */
interface BodyOfUnknownType {
  readonly [nothing]?: never
}

/**
 * Bodies of `new HttpResponse()`. Node's streams, and those of its modules, are asynchronous iterables, which Node's
 * `Response` accepts. TypeScript does not take the classes of Node's modules for the global ones.
 */
export type ResponseBody = BodyInit | ArrayBufferView | AsyncIterable<unknown> | BlobLike | BodyOfUnknownType

/** Like the platform's `ResponseInit`. `Set-Cookie` headers are kept in browsers too. */
export interface HttpResponseInit extends ResponseInit {
  /** `'error'` creates a network error, as {@link HttpResponse.error} does. */
  type?: ResponseType
}

/**
 * A registered symbol, because a page may load two copies of the engine, and each must read the responses of the other.
 */
const setCookieKey: unique symbol = Symbol.for('understudy.setCookie') as never

/** Returns the `Set-Cookie` headers of a response, even if the platform hides them. */
export function setCookiesOf(response: Response): readonly string[] {
  return hiddenSetCookiesOf(response) ?? response.headers.getSetCookie()
}

/** Returns the `Set-Cookie` headers of a response that the platform hides; `undefined` if it shows them. */
export function hiddenSetCookiesOf(response: Response): readonly string[] | undefined {
  return (response as { [setCookieKey]?: readonly string[] })[setCookieKey]
}

/** Returns the headers that the constructor of a response got, with the case and order of names, which `Headers` loses. */
export function givenHeadersOf(response: Response): HeadersInit | undefined {
  return marksOf(response)?.given
}

/** Returns the body of a response, if the constructor set its Content-Type, and not the developer. */
export function knownBodyOf(response: Response): KnownBody | undefined {
  return marksOf(response)?.known
}

/**
 * The platform's class. jsdom has no such class, and Jest's environment for jsdom hides Node's. Polyfills of Fetch add
 * one that lacks streams, where nothing else of the platform is there.
 */
const PlatformResponse: typeof Response = /* @__PURE__ */ findResponse()

function findResponse(): typeof Response {
  const missing = ['Response', 'TextEncoder'].find((name) => !Reflect.get(globalThis, name))
  if (!missing) return Response
  throw failure(
    'US0207',
    'define HttpResponse',
    `there is no global ${missing}, and the Fetch API is missing`,
    "Use a test environment that has the Fetch API: in Jest, set testEnvironment to '@understudy/engine/jest-jsdom'.",
  )
}

/**
 * A `Response` with shorthand constructors and working `Set-Cookie` headers.
 * In all other respects it behaves as the platform's `Response`, including `instanceof Response`.
 *
 * @example
 * http.get('/user', () => HttpResponse.json({ name: 'Ada' }, { status: 201 }))
 * @see https://fetch.spec.whatwg.org/#response-class
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the constructor does not check the body, so it fits every declared type
export class HttpResponse<Body = any> extends PlatformResponse {
  /**
   * Holds the type of the body, without a value at run time. The type is wrapped in an object: otherwise TypeScript
   * would infer `undefined` from the optional member of the same name in `PlainResponse`.
   */
  declare readonly '~body': { readonly type: Body }

  /**
   * @param body string, Blob, FormData, stream, ArrayBuffer, typed array, URLSearchParams, or `null`. With a status that
   * has no body (204, 205, 304), it is left out
   * @throws `RangeError` for a status outside 200–599
   */
  constructor(body?: ResponseBody | null, options?: HttpResponseInit) {
    // The platform takes `null` for no options.
    const init = options ?? {}
    // A browser drops Set-Cookie from a Response, but not from plain Headers.
    const headers = hidesSetCookie() ? new Headers(init.headers) : init.headers
    super(bodyFor(init, body as BodyInit | null | undefined), {
      status: init.status ?? 200,
      // A real response over HTTP/2 has an empty text, and handlers pass it as options.
      statusText: init.statusText || statusTextOf(init.status ?? 200),
      ...(headers && { headers }),
    })
    if (headers && hidesSetCookie()) keepSetCookies(this, (headers as Headers).getSetCookie())
    if (init.headers) mark(this).given = init.headers
    if (init.type === 'error') markAsError(this)
  }

  override clone(): HttpResponse<Body> {
    const copy = super.clone()
    Object.setPrototypeOf(copy, Object.getPrototypeOf(this) as object)
    keepSetCookies(copy, setCookiesOf(this))
    const { given, known } = mark(this)
    Object.assign(mark(copy), { given, known })
    if (this.type === 'error') markAsError(copy)
    return copy as HttpResponse<Body>
  }

  /**
   * A network error: the request fails as if the host could not be reached.
   *
   * @param init `code`: the code of the error in Node (`error.cause.code` of `fetch`, `error.code` of `node:http`);
   * default: `'ECONNRESET'`. `fault`: `'connection-reset'` (default) or `'empty-response'`. Browsers fail with the same
   * `TypeError` for all.
   * @throws {UnderstudyError} if the code is not a string, the fault is unknown, or both are given
   * @example
   * http.get('/user', () => HttpResponse.error({ code: 'ETIMEDOUT' }))
   * @see https://fetch.spec.whatwg.org/#concept-network-error
   */
  static override error(init: NetworkErrorInit = {}): HttpResponse<never> {
    const { code, fault } = init
    const response = Response.error() as HttpResponse<never>
    const isKnown =
      fault === undefined
        ? code === undefined || (typeof code === 'string' && code !== '')
        : code === undefined && /^(connection-reset|empty-response)$/.test(fault)
    if (!isKnown) {
      const reason = `its code is ${JSON.stringify(code)}, its fault ${JSON.stringify(fault)}`
      throw failure('US0208', 'create a network error', reason, 'Pass a code such as "ETIMEDOUT", or a fault.')
    }
    setNetworkErrorInit(response, init)
    return response
  }

  /** `text/plain`. */
  static text<Body = string>(body?: DeclaredText<Body> | null, init?: HttpResponseInit): HttpResponse<Body> {
    return ofText('text/plain', body, init)
  }

  /**
   * `application/json`.
   *
   * @param body any value that `JSON.stringify` takes
   * @example
   * HttpResponse.json({ error: 'Not allowed' }, { status: 403 })
   */
  static override json<Given extends JsonBodyType, Body extends JsonBodyType = Given>(
    body?: Declared<Body> | Inferred<Given> | null,
    init?: HttpResponseInit,
  ): HttpResponse<Body> {
    // The text of a promise is recognized later. As JSON, it would be `{}`.
    return ofText('application/json', body instanceof Promise ? body : JSON.stringify(body), init)
  }

  /** `text/xml`. */
  static xml<Body = string>(body?: DeclaredText<Body> | null, init?: HttpResponseInit): HttpResponse<Body> {
    return ofText('text/xml', body, init)
  }

  /** `text/html`. */
  static html<Body = string>(body?: DeclaredText<Body> | null, init?: HttpResponseInit): HttpResponse<Body> {
    return ofText('text/html', body, init)
  }

  /** A response with the type `multipart/form-data` and its boundary. */
  static formData<Body = FormData>(body?: (Body & FormData) | null, init?: HttpResponseInit): HttpResponse<Body> {
    return create<Body>(body, init)
  }

  /** A response with the type `application/octet-stream`. */
  static arrayBuffer<Body = ArrayBuffer>(body?: (Body & Bytes) | null, init?: HttpResponseInit): HttpResponse<Body>
  /** For the buffer of a `Buffer`, which may be of either kind: TypeScript infers only one of them. */
  static arrayBuffer(body: ArrayBufferLike, init?: HttpResponseInit): HttpResponse<ArrayBufferLike>
  static arrayBuffer(body?: Bytes | null, init?: HttpResponseInit): HttpResponse<unknown> {
    // `Response` rejects shared memory. Pass a copy.
    const bytes = body == null ? null : bodyFor(init, toBytes(body).slice())
    const headers = withDefault(pairsOf(init?.headers), 'application/octet-stream', bytes?.byteLength ?? 0)
    return create<unknown>(bytes, { ...init, headers })
  }

  /**
   * A redirect. The URL may be relative to the request. Characters that a header cannot contain are percent-encoded.
   *
   * @param status 301, 302 (default), 303, 307 or 308
   * @throws `RangeError` for another status
   */
  static override redirect(url: string | URL, status = 302): HttpResponse<never> {
    if (![301, 302, 303, 307, 308].includes(status)) {
      throw new RangeError(
        failure('US0209', 'redirect', `status ${status} is not a redirect status`, 'Use 301, 302, 303, 307 or 308.')
          .message,
      )
    }
    const Location = String(url)
      .toWellFormed()
      .replaceAll(/[\u0080-\u{10ffff}]+/gu, encodeURIComponent)
    return create<never>(null, { status, headers: { Location } })
  }
}

let isSetCookieHidden: boolean | undefined

function hidesSetCookie(): boolean {
  isSetCookieHidden ??= !new Response(null, { headers: { 'Set-Cookie': 'a=b' } }).headers.has('Set-Cookie')
  return isSetCookieHidden
}

function keepSetCookies(response: Response, setCookies: readonly string[]): void {
  // If the platform shows the headers, use those, because code may have changed them.
  if (response.headers.getSetCookie().length === setCookies.length) return
  Object.defineProperty(response, setCookieKey, { value: setCookies })
}

function markAsError(response: Response): void {
  Object.defineProperty(response, 'type', { value: 'error' })
}

/**
 * Methods of the class do not refer to the class by its name. Otherwise esbuild renames it, and the console and
 * snapshots show `_HttpResponse`.
 */
function create<Body>(body?: ResponseBody | null, init?: HttpResponseInit): HttpResponse<Body> {
  return new HttpResponse<Body>(body, init)
}

function toBytes(body: Bytes): Uint8Array {
  return ArrayBuffer.isView(body) ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength) : new Uint8Array(body)
}

const encoder = new TextEncoder()
const isAscii = /^[^\u0080-\uffff]*$/

/** Returns `null` if the status has no body. The platform's class throws an error for a body with such a status. */
function bodyFor<Body>(init: HttpResponseInit | undefined, body: Body): Body | null {
  return /20[45]|304/.test(`${init?.status}`) ? null : body
}

/** @param given JavaScript code passes numbers and other values as text */
function ofText<Body>(type: string, given: unknown, init: HttpResponseInit | undefined): HttpResponse<Body> {
  const text = given == null ? null : bodyFor(init, `${given as string}`)
  // ASCII text has as many bytes as characters.
  const length = text ? (isAscii.test(text) ? text : encoder.encode(text)).length : 0
  const headers = pairsOf(init?.headers)
  const isTyped = headers && new Headers(headers).has('Content-Type')
  const response = create<Body>(text, { ...init, headers: withDefault(headers, type, length) })
  if (!isTyped) mark(response).known = { text, length }
  return response
}

function withDefault(given: Pairs | undefined, type: string, length: number): HeadersInit {
  if (!given) return { 'Content-Type': type, 'Content-Length': String(length) }
  const headers = new Headers(given)
  if (!headers.has('Content-Type')) given.push(['Content-Type', type])
  if (!headers.has('Content-Length')) given.push(['Content-Length', String(length)])
  return given
}

type Pairs = [name: string, value: string][]

/** Returns names and values, in the original case and order. */
export function pairsOf(headers: HeadersInit | undefined): Pairs | undefined {
  return headers && (Symbol.iterator in headers ? ([...headers] as Pairs) : Object.entries(headers))
}
