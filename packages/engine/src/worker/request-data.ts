import type { RequestData, ResponseData } from './protocol.ts'

/**
 * Converts a request into plain data. Reads the body of the request itself, because reading a copy takes several times
 * as long, and the code that sends the request needs the data, too.
 */
export async function toRequestData(request: Request): Promise<RequestData> {
  const body = mayHaveBody(request) ? await request.arrayBuffer() : null
  return { ...toRequestHead(request), body: body && body.byteLength > 0 ? body : null }
}

/** Converts a request into plain data, without its body. */
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

/** Returns whether header values may differ from the bytes that the page sent. See {@link readHeaders}. */
export function hasDecodedHeaders({ headers }: Request): boolean {
  return /[^\0-\x7f]/.test([...headers].join())
}

/**
 * Reads the headers of a request, with one character for each byte. Chromium decodes header values as UTF-8 for a
 * service worker. A request with such a value can neither be constructed nor be sent unchanged.
 */
export function readHeaders(request: Request): [string, string][] {
  const isDecoded = 'isReloadNavigation' in request && hasDecodedHeaders(request)
  const read = (value: string): string => (isDecoded ? String.fromCharCode(...new TextEncoder().encode(value)) : value)
  return Array.from(request.headers, ([name, value]) => [name, read(value)])
}

// Firefox has no `Request.body`, so use the method there.
function mayHaveBody(request: Request): boolean {
  return request.body === undefined ? !['GET', 'HEAD'].includes(request.method) : request.body !== null
}

/** Converts a response of the network into plain data, with its body to transfer. */
export function toResponseData(response: Response): ResponseData {
  const { status, statusText, headers, body, url } = response
  return { status, statusText, headers: [...headers], body, url }
}

const policyHeader = 'cross-origin-resource-policy'

/** @see https://fetch.spec.whatwg.org/#redirect-status */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Creates the response that a page decided on.
 *
 * @param request its URL is the base of a redirect's `Location`, because a constructed response has no URL
 */
export function fromResponseData(data: ResponseData, { url: requestUrl, method, mode }: Request): Response {
  const headers = new Headers(data.headers as [string, string][])
  // Firefox checks this header on a page that is isolated from other origins.
  if (mode === 'no-cors' && new URL(requestUrl).origin !== globalThis.location.origin && !headers.has(policyHeader))
    headers.set(policyHeader, 'cross-origin')
  const { status, statusText } = data
  const location = redirectStatuses.has(status) ? headers.get('location') : null
  if (location !== null && URL.canParse(location, requestUrl)) {
    headers.set('location', new URL(location, requestUrl).href)
  }
  let { body } = data
  if (method === 'HEAD') {
    // Otherwise, the platform would return the response of a request that must fail.
    if (body instanceof ReadableStream) void body.cancel()
    body = null
  }
  return new Response(body instanceof ArrayBuffer ? toStream(body) : body, { status, statusText, headers })
}

/** Chromium creates a Blob from a response's bytes, which takes longer than a stream. */
function toStream(bytes: ArrayBuffer): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes))
      controller.close()
    },
  })
}
