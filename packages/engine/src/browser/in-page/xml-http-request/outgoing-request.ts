import { parseUrl } from '../../../core/routing/parse-url.ts'
import { moveCredentials } from '../../fetch/move-credentials.ts'
import { captureBody } from '../../gate/capture-body.ts'

export type Body = Parameters<XMLHttpRequest['send']>[0]

/** The arguments of the app's `open()`, and the headers that it set afterwards. */
export interface Opening {
  /** The arguments of `open()`. */
  readonly args: readonly unknown[]
  readonly method: string
  /** Whether `send()` ignores a body. */
  readonly isBodiless: boolean
  readonly url: URL
  readonly isAsync: boolean
  /** The headers of `setRequestHeader()`. */
  readonly headers: Headers
}

/** @returns `undefined` for a request that handlers never answer */
export function readOpening(args: readonly unknown[]): Opening | undefined {
  const [method, given, isAsync] = args
  const [user, password] = args.slice(3) as (string | null | undefined)[]
  const url = parseUrl(String(given), document.baseURI)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (user != null) url.username = user
  if (password != null) url.password = password
  // A missing argument means asynchronous, and `undefined` means synchronous.
  return {
    args,
    method: String(method),
    isBodiless: /^(?:get|head)$/i.test(String(method)),
    url,
    isAsync: args.length < 3 || Boolean(isAsync),
    headers: new Headers(),
  }
}

/** A request that was sent: the request that handlers see, and the body that the platform's object would send. */
export interface Outgoing {
  readonly request: Request
  readonly body: Body
}

/**
 * Reads the request at the time of `send()`, because the app may change the body afterwards.
 *
 * @see https://xhr.spec.whatwg.org/#the-send()-method
 */
export function createOutgoing(opening: Opening, given: Body, withCredentials: boolean, signal: AbortSignal): Outgoing {
  const { isBodiless } = opening
  const body = captureBody(given)
  const headers = new Headers(opening.headers)
  const url = moveCredentials(opening.url, headers)
  // The browser adds this header later. Handlers that a service worker asks see it.
  if (!headers.has('accept')) headers.set('accept', '*/*')
  const isText = typeof body === 'string' || isDocument(body)
  const type = headers.get('content-type')
  if (type !== null && isText) headers.set('content-type', withCharset(type))
  else if (isDocument(body) && !isBodiless) headers.set('content-type', `${typeOf(body)};charset=UTF-8`)
  const request = new Request(url, {
    method: opening.method,
    headers,
    body: isBodiless || body == null ? null : isDocument(body) ? serialize(body) : body,
    credentials: withCredentials ? 'include' : 'same-origin',
    signal,
  })
  return { request, body }
}

/** Sets the charset of a text body's type to UTF-8, the only encoding in which text is sent. */
function withCharset(type: string): string {
  return type.replace(/(;\s*charset=)(?!"?utf-8"?\s*(?:;|$))(?:"[^"]*"|[^;]*)/i, '$1UTF-8')
}

function typeOf(body: Document): string {
  return isHtml(body) ? 'text/html' : 'application/xml'
}

/** Checks the tag, because the document may come from another window. */
function isDocument(body: Body): body is Document {
  return Object.prototype.toString.call(body).endsWith('Document]')
}

function isHtml({ contentType }: Document): boolean {
  return contentType === 'text/html'
}

function serialize(body: Document): string {
  if (!isHtml(body)) return new XMLSerializer().serializeToString(body)
  const doctype = body.doctype ? new XMLSerializer().serializeToString(body.doctype) : ''
  return doctype + body.documentElement.outerHTML
}
