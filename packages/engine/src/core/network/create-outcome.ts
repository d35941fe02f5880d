import { nameHandler } from '../call-site.ts'
import { failure } from '../failure.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { networkErrorInit, networkErrorReason } from '../responses/network-error.ts'
import { isCommonAssetRequest } from '../unhandled/is-common-asset-request.ts'
import { emit } from './emit.ts'
import type { Network } from './network.ts'
import type { Outcome, PassthroughOutcome } from './outcome.ts'

/** Creates the outcome of a request that the source sends to the network unchanged. */
export function passthroughOutcome<Type extends 'passthrough' | 'unhandled'>(
  type: Type,
  incoming: IncomingRequest,
  network: Network,
): PassthroughOutcome<Type> {
  const { events } = network
  // Do not copy assets: they can be large, and a log does not show their bodies.
  const isLogged = network.wantsResponses && !isCommonAssetRequest(incoming.request)
  const isHeard = events.isHeard('response:bypass')
  if (!isLogged && !isHeard) return { type, onResponse: undefined }
  // Do not keep the body of the request: it was sent when the response arrives.
  const request = isHeard ? incoming.copy() : incoming.request
  return {
    type,
    onResponse: (response) => {
      emit(events, 'response:bypass', () => ({
        request: request.body === null ? request : request.clone(),
        requestId: incoming.id,
        response: withUrl(response.clone(), response.url || request.url),
      }))
      if (isLogged) network.progress.call({ type: 'response', requestId: incoming.id, response })
    },
  }
}

/**
 * Sets the URL that `fetch` shows: a response that was constructed, or that a service worker sent in parts, has none.
 */
export function withUrl(response: Response, url: string): Response {
  if (response.type === 'error') return response
  return Object.defineProperty(response, 'url', { value: url.split('#', 1)[0], configurable: true, enumerable: true })
}

/** Creates the outcome of a request that a handler fails. */
export function networkErrorOutcome(
  { method, url }: IncomingRequest,
  handler: RequestHandler,
  response?: Response,
): Outcome {
  const reason = response && networkErrorReason(response)
  const error = failure(
    'US0204',
    `answer ${method} ${url.href}`,
    reason ?? `the handler ${nameHandler(handler)} answers with a network error`,
    reason ? `The handler ${nameHandler(handler)} chose this error.` : 'The handler chose this error.',
  )
  // Set the code as Node's clients do, because libraries that retry read it. The sources in Node read the fault.
  const init = networkErrorInit(response)
  return { type: 'network-error', error: Object.assign(error, init, { code: init?.code ?? 'ECONNRESET' }) }
}
