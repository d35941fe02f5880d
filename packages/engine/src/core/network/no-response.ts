import { nameHandler } from '../call-site.ts'
import { failure, print } from '../failure.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { isCommonAssetRequest } from '../unhandled/is-common-asset-request.ts'
import { passthroughOutcome } from './create-outcome.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'

/** Handlers that a warning was printed about. An app repeats its requests, and one warning for each handler is enough. */
const warned = new WeakSet<RequestHandler>()

/**
 * Decides about a request that a handler matched but no handler answered, because every resolver returned no response.
 * A resolver that forgets its `return` looks the same as one that only logs requests, so the request goes to the network
 * with a warning. It fails only if `onUnhandledRequest` is `'error'`.
 */
export async function noResponse(
  incoming: IncomingRequest,
  handler: RequestHandler,
  network: Network,
): Promise<Outcome> {
  const { request, method, url } = incoming
  const unhandled = network.recording ?? network.unhandled
  if (!unhandled.isSilent && !isCommonAssetRequest(request)) {
    const reason = `the handler ${nameHandler(handler)} returned no response`
    const advice = 'Return a response, or passthrough() to let the request through.'
    if (unhandled.fails) {
      const error = failure(
        'US0224',
        `answer ${method} ${url.href}`,
        `${reason} and "onUnhandledRequest" is "error"`,
        advice,
      )
      print.failure(error.message)
      return { type: 'network-error', error, isUnhandled: true }
    }
    if (!warned.has(handler)) {
      warned.add(handler)
      print.warn(
        'US0225',
        `No handler answered ${method} ${url.href}: ${reason}, and no other handler answered it. ${advice}`,
      )
    }
  }
  return passthroughOutcome('passthrough', incoming, network)
}
