import { failure } from '../failure.ts'
import { Request } from '../platform.ts'

/**
 * What marks a request as one to be performed as it is. It travels in `Accept`, the one header that a
 * `no-cors` request may carry too.
 */
export const bypassMark = 'understudy/passthrough'

/**
 * A request that no handler answers.
 *
 * @throws where the given request's body was already read
 * @example
 * http.get('/user', async ({ request }) => {
 *   const real = await fetch(bypass(request))
 *   return HttpResponse.json({ ...(await real.json()), patched: true })
 * })
 */
export function bypass(input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request && input.bodyUsed) {
    throw failure(
      `bypass the request ${input.method} ${input.url}`,
      'its body was already read',
      'Read a copy of it: await request.clone().json().',
    )
  }
  const request = new Request(input instanceof Request ? input.clone() : input, init)
  request.headers.append('accept', bypassMark)
  // The length belongs to the body that was; whoever performs the request counts anew.
  request.headers.delete('content-length')
  return request
}

/** Whether a request was made by {@link bypass}. */
export function isBypassed(headers: Headers): boolean {
  return headers.get('accept')?.includes(bypassMark) ?? false
}

/** Removes the mark of {@link bypass}, which is nobody's business but ours. */
export function removeBypassMark(headers: Headers): void {
  const accept = headers.get('accept')
  if (!accept?.includes(bypassMark)) return
  const rest = accept
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== bypassMark)
  if (rest.length > 0) headers.set('accept', rest.join(', '))
  else headers.delete('accept')
}
