import { Response } from '../platform.ts'
import type { HttpResponse } from './http-response.ts'

/** The header has MSW's name, because tools that run its handlers read it. */
const intention = 'x-msw-intention'

/**
 * Sends the intercepted request to the network unchanged, without asking further handlers.
 *
 * @example
 * http.get('/user', ({ request }) => request.headers.has('x-real') ? passthrough() : HttpResponse.json({}))
 */
export function passthrough(): HttpResponse {
  const headers = { [intention]: 'passthrough' }
  // Its type is that of MSW, because functions declare their result as `HttpResponse<User>`.
  return new Response(null, { status: 302, statusText: 'Passthrough', headers }) as HttpResponse
}

/** Returns whether a response was created by {@link passthrough}, or is a copy of such a response. */
export function isPassthroughResponse({ status, headers }: Response): boolean {
  return status === 302 && headers.get(intention) === 'passthrough'
}
