import type { Protocol } from '../handlers/protocol.ts'
import { passthroughOutcome } from '../network/create-outcome.ts'
import { emit } from '../network/emit.ts'
import type { IncomingRequest } from '../network/incoming-request.ts'
import type { Network } from '../network/network.ts'
import type { Outcome } from '../network/outcome.ts'
import { describeUnhandled } from './describe-unhandled.ts'
import { isCommonAssetRequest } from './is-common-asset-request.ts'
import { findNearestHandlers } from './nearest-handlers.ts'
import { readUnhandled } from './read-unhandled.ts'

/**
 * Decides about a request that no handler matched: notifies listeners, and applies the strategy.
 *
 * @param by the protocols whose handlers were asked
 */
export async function unhandledOutcome(
  incoming: IncomingRequest,
  network: Network,
  by?: ReadonlySet<Protocol>,
): Promise<Outcome> {
  const { request, id } = incoming
  for (const protocol of by ?? []) protocol.reportUnhandled(incoming)
  emit(network.events, 'request:unhandled', () => ({ request: incoming.copy(), requestId: id }))
  const isTold = !network.unhandled.isSilent || !network.decisions.isEmpty
  if (isTold && !isCommonAssetRequest(request)) await readUnhandled(incoming, network, by)
  try {
    await (network.recording ?? network.unhandled).apply(incoming.copy(), id, () =>
      describeUnhandled(incoming, isCommonAssetRequest(request) ? [] : findNearestHandlers(network, incoming)),
    )
  } catch (error) {
    return { type: 'network-error', error, isUnhandled: true }
  }
  return passthroughOutcome('unhandled', incoming, network)
}
