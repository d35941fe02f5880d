import type { Network } from '../core/network/network.ts'
import { pageUrl } from '../core/routing/page-url.ts'
import { sentHeader } from './header-spelling.ts'

/**
 * Whether a page of this process (jsdom, happy-dom) asks another origin. Such a page checks by the rules of CORS what a
 * browser with a service worker does not: a mocked response is the page's own.
 */
function isCrossOrigin({ headers }: Request): boolean {
  const page = pageUrl()
  return page !== undefined && sentHeader(headers, 'origin') === new URL(page).origin
}

/**
 * The answer to a page that asks whether it may send a request which a handler could answer; nothing for all other
 * requests. Handlers are not asked: in a browser they would never see it.
 *
 * @see https://fetch.spec.whatwg.org/#cors-preflight-fetch
 */
export function answerPreflight(request: Request, { layers, baseUrl }: Network): Response | undefined {
  const method = sentHeader(request.headers, 'access-control-request-method')
  if (request.method !== 'OPTIONS' || method === null || !isCrossOrigin(request)) return undefined
  if (!layers.couldAnswer({ method, url: new URL(request.url), baseUrl })) return undefined
  return new Response(null, {
    status: 204,
    headers: {
      ...allow(request),
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': sentHeader(request.headers, 'access-control-request-headers') ?? '',
    },
  })
}

/** A mocked response that a page accepts. What the mock says of it by itself stands. */
export function toPageResponse(response: Response, request: Request): Response {
  if (!isCrossOrigin(request) || response.headers.has('access-control-allow-origin')) return response
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(allow(request))) headers.set(name, value)
  headers.set('Access-Control-Expose-Headers', [...response.headers.keys()].join(', '))
  return new Response(response.body, { status, statusText, headers })
}

function allow({ headers }: Request): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': sentHeader(headers, 'origin') ?? '*',
    'Access-Control-Allow-Credentials': 'true',
  }
}
