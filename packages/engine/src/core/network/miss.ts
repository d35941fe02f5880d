import type { Protocol } from '../handlers/protocol.ts'
import { describeMiss } from './describe-miss.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { isCommonAssetRequest } from './is-common-asset-request.ts'
import { findNearestHandlers } from './nearest-handlers.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'
import { performed } from './performed.ts'
import { readForMiss } from './read-for-miss.ts'

/**
 * A request that no handler matched: listeners are told, and the strategy says what becomes of it.
 *
 * @param by the protocols whose handlers were asked
 */
export async function miss(incoming: IncomingRequest, network: Network, by?: ReadonlySet<Protocol>): Promise<Outcome> {
  const { request, id } = incoming
  for (const protocol of by ?? []) protocol.missed(incoming)
  network.events.emit('request:unhandled', () => ({ request: incoming.copy(), requestId: id }))
  const isTold = !network.unhandled.isSilent || network.observers.size > 0
  if (isTold && !isCommonAssetRequest(request)) await readForMiss(incoming, network, by)
  try {
    await network.unhandled.apply(incoming.copy(), id, () =>
      describeMiss(incoming, isCommonAssetRequest(request) ? [] : findNearestHandlers(network, incoming)),
    )
  } catch (error) {
    return { type: 'network-error', error, isUnhandled: true }
  }
  return performed('unhandled', incoming, network)
}
