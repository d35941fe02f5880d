import { failure } from '../failure.ts'
import { Request } from '../platform.ts'

/**
 * Marks a request that no handler may answer. The mark is in the header `Accept`, the only one that fits and that a
 * `no-cors` request may have.
 */
export const bypassMark = 'understudy/passthrough'

/** MSW's mark. Tools that run its handlers read it, such as the fixture `router` of Playwright's component tests. */
export const mswBypassMark = 'msw/passthrough'

/** Marks a request about which a network has already decided, in the same header. The worker sends it at once. */
export const decidedMark = 'understudy/passthrough-decided'

/**
 * Creates a request that no handler answers.
 *
 * @throws if the body of the given request was already read
 * @example
 * http.get('/user', async ({ request }) => {
 *   const real = await fetch(bypass(request))
 *   return HttpResponse.json({ ...(await real.json()), patched: true })
 * })
 */
export function bypass(input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request && input.bodyUsed) {
    throw failure(
      'US0213',
      `bypass the request ${input.method} ${input.url}`,
      'its body was already read',
      'Read a copy of it: await request.clone().json().',
    )
  }
  const request = new Request(input instanceof Request ? input.clone() : input, init)
  request.headers.append('accept', `${bypassMark}, ${mswBypassMark}`)
  // The length describes the old body. The client computes it again.
  request.headers.delete('content-length')
  return request
}
