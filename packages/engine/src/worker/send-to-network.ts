import { isBypassed, removeBypassMark } from '../core/responses/bypass-marks.ts'
import { hasDecodedHeaders, readHeaders } from './request-data.ts'

/** Fails a request. Handlers might have matched, so it must not reach the network. */
export function fail({ method, url }: Request, reason = 'is closed or was reloaded. Use an open page.'): Response {
  console.error(`[understudy] Failed to answer ${method} ${url}: the page whose handlers answer it ${reason} (US0309)`)
  return Response.error()
}

/**
 * Sends a request to the network, without marks of other parts.
 *
 * @param body the body that was read from the request; default: the body was not read
 */
export function sendToNetwork(request: Request, body: ArrayBuffer | null = null): Promise<Response> {
  if (!request.bodyUsed && !isBypassed(request.headers) && !hasDecodedHeaders(request)) return fetch(request)
  const headers = new Headers(readHeaders(request))
  removeBypassMark(headers)
  const { referrer, referrerPolicy } = request
  // The constructor of `Request` drops the referrer of the given request, unless it is passed.
  const sent = request.bodyUsed && { body: body ?? new ArrayBuffer(0) }
  return fetch(new Request(request, { headers, referrer, referrerPolicy, ...sent }))
}
