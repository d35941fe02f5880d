import { isRedirect, readRedirect } from '../core/fetch/redirect.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import type { Network } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import { Request } from '../core/platform.ts'
import { showFormType, toRequestBody, type Kept } from './request-body.ts'
import { checkBody } from './response-body.ts'

/** An outcome, and the request that it is for: the given one, or the one that follows mocked redirects. */
export interface Decided {
  readonly request: Request
  readonly outcome: Outcome
}

/** Decides about a request. Follows mocked redirects, as React Native's native module always does. */
export async function decide(given: Request, network: Network): Promise<Decided> {
  let request = given
  showFormType(request)
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await handleRequest(request, network, undefined, toRequestBody(request))
    if (outcome.type !== 'mocked') return { request, outcome }
    try {
      checkBody(outcome.response, request)
      if (!isRedirect(outcome.response) || !outcome.response.headers.has('location')) return { request, outcome }
      request = followRedirect(request, outcome.response, redirects)
    } catch (error) {
      return { request, outcome: { type: 'network-error', error } }
    }
  }
}

function followRedirect(request: Request, response: Response, redirects: number): Request {
  const body = (request as Kept)._bodyInit as BodyInit | null | undefined
  const { url, init } = readRedirect(request, response, body ?? null, redirects)
  return new Request(url.href, { ...init, signal: request.signal })
}
