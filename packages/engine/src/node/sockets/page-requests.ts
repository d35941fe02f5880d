import type { IncomingMessage } from 'node:http'

import { couldAnswer } from '../../core/handlers/candidates.ts'
import { isIgnorable } from '../../core/network/handle-request.ts'
import type { Network } from '../../core/network/network.ts'
import { Headers, Response } from '../../core/platform.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'

/**
 * Returns whether a page of this process (jsdom, happy-dom) makes a cross-origin request. Such a page checks mocked
 * responses by the rules of CORS. A browser does not check responses of a service worker. A page without a URL
 * (`about:blank`), as happy-dom's global registrator creates it without options, has the origin `null`.
 */
function isCrossOrigin({ headers }: IncomingMessage): boolean {
  const page = (globalThis as { location?: { href?: unknown } }).location?.href
  return typeof page === 'string' && headers.origin !== undefined && headers.origin === parseUrl(page)?.origin
}

/**
 * Returns the response to a preflight of a request about which the network decides; `undefined` for all other requests.
 * Handlers are not asked, because in a browser they never see preflights. If none of them matches the request, the report
 * has to name the request, and not the preflight, unless a handler answers `OPTIONS`.
 *
 * @see https://fetch.spec.whatwg.org/#cors-preflight-fetch
 */
export function answerPreflight(url: URL, incoming: IncomingMessage, network: Network): Response | undefined {
  const { 'access-control-request-method': method, 'access-control-request-headers': headers } = incoming.headers
  if (incoming.method !== 'OPTIONS' || method === undefined || !isCrossOrigin(incoming)) return undefined
  if (isIgnorable(network, method, url)) return undefined
  if (!couldAnswer(network, method, url) && couldAnswer(network, 'OPTIONS', url)) return undefined
  return new Response(null, {
    status: 204,
    headers: {
      ...allow(incoming),
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': headers ?? '',
    },
  })
}

/** Returns a mocked response that a page accepts. CORS headers of the mock are kept. */
export function toPageResponse(response: Response, incoming: IncomingMessage): Response {
  if (!isCrossOrigin(incoming) || response.headers.has('access-control-allow-origin')) return response
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(allow(incoming))) headers.set(name, value)
  headers.set('Access-Control-Expose-Headers', [...response.headers.keys()].join(', '))
  return new Response(response.body, { status, statusText, headers })
}

function allow({ headers }: IncomingMessage): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': headers.origin ?? '*',
    'Access-Control-Allow-Credentials': 'true',
  }
}
