import { Response } from '../platform.ts'
import type { HttpResponse } from './http-response.ts'

const passthroughKey: unique symbol = Symbol.for('understudy.passthrough') as never

/**
 * Sends the intercepted request to the network unchanged, without asking further handlers.
 *
 * @example
 * http.get('/user', ({ request }) => request.headers.has('x-real') ? passthrough() : HttpResponse.json({}))
 */
export function passthrough(): HttpResponse {
  const response = new Response(null, { status: 302, statusText: 'Passthrough' })
  // Its type is that of MSW, because functions declare their result as `HttpResponse<User>`.
  return Object.defineProperty(response, passthroughKey, { value: true }) as HttpResponse
}

/** Returns whether a response was created by {@link passthrough}. */
export function isPassthroughResponse(response: Response): boolean {
  return (response as { [passthroughKey]?: true })[passthroughKey] === true
}
