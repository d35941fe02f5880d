import { createHash, timingSafeEqual } from 'node:crypto'

import type { ServerRequest } from './connect-middleware.ts'

/**
 * Returns whether a page of another origin could read the response: with a CORS request, which has the header `Origin`.
 */
export function isOfOtherOrigin({ headers }: ServerRequest): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  // Scripts cannot set this header, and it stays correct if a reverse proxy rewrites the host.
  if (site === 'same-origin') return false
  // HTTP/2 has another name for it.
  if (origin !== undefined) return !isOriginOf(origin, headers.host ?? headers[':authority'])
  if (site === undefined || site === 'none') return false
  // A link or a frame of another site can show the page, but not read it.
  return headers['sec-fetch-mode'] !== 'navigate'
}

/** Returns whether a request comes from a page of this run of the server. */
export function isTrusted(request: ServerRequest, token: string): boolean {
  const { headers } = request
  const given = headers['x-understudy-token']
  return (
    !isOfOtherOrigin(request) &&
    // Browsers send the origin with every POST.
    headers.origin !== undefined &&
    typeof given === 'string' &&
    timingSafeEqual(digest(given), digest(token))
  )
}

/** `timingSafeEqual` throws for inputs of different lengths, and a token may contain any bytes. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function isOriginOf(origin: unknown, host: unknown): boolean {
  return typeof origin === 'string' && URL.canParse(origin) && host !== undefined && new URL(origin).host === host
}
