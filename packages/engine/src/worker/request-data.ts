import type { RequestData, ResponseData } from './protocol.ts'

/**
 * A request as plain data. The body is read from the request itself: reading a copy costs several times as much, and
 * the code that sends the request needs the data.
 */
export async function toRequestData(request: Request): Promise<RequestData> {
  const body = mayHaveBody(request) ? await request.arrayBuffer() : null
  return { ...toRequestHead(request), body: body && body.byteLength > 0 ? body : null }
}

/** A request as plain data, without its body. */
export function toRequestHead(request: Request): RequestData {
  const { url, method, mode, credentials, cache, redirect, referrer, referrerPolicy } = request
  const { integrity, keepalive, destination } = request
  return {
    url,
    method,
    headers: readHeaders(request),
    mode,
    credentials,
    cache,
    redirect,
    referrer,
    referrerPolicy,
    integrity,
    keepalive,
    destination,
    body: null,
  }
}

/** Whether header values may not be the bytes that the page sent: see {@link readHeaders}. */
export function hasDecodedHeaders({ headers }: Request): boolean {
  return /[^\0-\x7f]/.test([...headers].join())
}

/**
 * Reads the headers of a request, one byte in each character. Chromium decodes header values as UTF-8 for a service worker,
 * and a request with such a value can neither be constructed nor be sent as it was.
 */
export function readHeaders(request: Request): [string, string][] {
  const isDecoded = 'isReloadNavigation' in request && hasDecodedHeaders(request)
  const read = (value: string): string => (isDecoded ? String.fromCharCode(...new TextEncoder().encode(value)) : value)
  return Array.from(request.headers, ([name, value]) => [name, read(value)])
}

// Firefox has no `Request.body`: there the method must do.
function mayHaveBody(request: Request): boolean {
  return request.body === undefined ? !['GET', 'HEAD'].includes(request.method) : request.body !== null
}

/** A response of the network as plain data, with its body to transfer. */
export function toResponseData(response: Response): ResponseData {
  const { status, statusText, headers, body, url } = response
  return { status, statusText, headers: [...headers], body, url }
}

/** @see https://fetch.spec.whatwg.org/#redirect-status */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * The response that a page decided on.
 *
 * @param request its URL is what the `Location` of a redirect is relative to: a response made by a worker has none of
 *   its own
 */
export function fromResponseData(data: ResponseData, { url: requestUrl, method }: Request): Response {
  const headers = new Headers(data.headers as [string, string][])
  const { status, statusText } = data
  const location = redirectStatuses.has(status) ? headers.get('location') : null
  if (location !== null && URL.canParse(location, requestUrl)) {
    headers.set('location', new URL(location, requestUrl).href)
  }
  let { body } = data
  if (method === 'HEAD') {
    // The platform would hand it out.
    if (body instanceof ReadableStream) void body.cancel()
    body = null
  }
  return new Response(body instanceof ArrayBuffer ? toStream(body) : body, { status, statusText, headers })
}

/** Chromium makes a Blob of a response's bytes, which takes longer than to read a stream. */
function toStream(bytes: ArrayBuffer): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes))
      controller.close()
    },
  })
}
