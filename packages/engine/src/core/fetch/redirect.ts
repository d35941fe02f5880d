import { Headers } from '../platform.ts'

/** The maximum number of redirects that one `fetch` follows. */
const limit = 20

/** Returns whether a response has a redirect status. */
export function isRedirect({ status }: Response): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

/**
 * Reads a redirect. Returns the new URL, and the changes of the request.
 *
 * @param body the source from which the request's body can be created again
 * @param count the number of earlier redirects
 * @throws an error, which becomes the cause of the network error
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function readRedirect(
  request: Request,
  response: Response,
  body: BodyInit | null,
  count: number,
): { url: URL; init: RequestInit } {
  const from = new URL(request.url)
  const url = new URL(response.headers.get('location') ?? '', from)
  if (url.hash === '') url.hash = from.hash
  const isCrossOrigin = url.origin !== from.origin
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('URL scheme must be a HTTP(S) scheme')
  if (count >= limit) throw new Error('redirect count exceeded')
  if (isCrossOrigin && (request.mode === 'same-origin' || url.username || url.password)) {
    throw new Error(`cross origin not allowed for request mode "${request.mode}"`)
  }
  const { status } = response
  const { method, redirect, credentials, cache, keepalive, mode, referrer, referrerPolicy, integrity } = request
  const becomesGet =
    ((status === 301 || status === 302) && method === 'POST') ||
    (status === 303 && method !== 'GET' && method !== 'HEAD')
  const headers = new Headers(request.headers)
  if (becomesGet) removeAll(headers, bodyHeaders)
  if (isCrossOrigin) removeAll(headers, originHeaders)
  return {
    url,
    init: {
      ...(becomesGet ? { method: 'GET' } : { method, body }),
      headers,
      redirect,
      credentials,
      cache,
      keepalive,
      mode,
      referrer,
      referrerPolicy,
      integrity,
    },
  }
}

const bodyHeaders = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length']
const originHeaders = ['authorization', 'proxy-authorization', 'cookie', 'host']

function removeAll(headers: Headers, names: readonly string[]): void {
  for (const name of names) headers.delete(name)
}
