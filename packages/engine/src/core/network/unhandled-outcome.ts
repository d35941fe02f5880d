import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { Protocol } from '../handlers/protocol.ts'
import { isCommonAssetRequest } from '../unhandled/is-common-asset-request.ts'
import { getUnhandledReport } from '../unhandled/set-unhandled-report.ts'
import { passthroughOutcome } from './create-outcome.ts'
import { emitOfRequest } from './emit.ts'
import type { Network } from './network.ts'
import type { Outcome } from './outcome.ts'
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
  emitOfRequest(network.events, 'request:unhandled', incoming)
  const isTold = !network.unhandled.isSilent || !network.decisions.isEmpty
  const isAsset = isCommonAssetRequest(request)
  if (isTold && !isAsset) await readUnhandled(incoming, network, by)
  const policy = network.recording ?? network.unhandled
  // Only a callback reports assets.
  try {
    await policy.apply(incoming.copy(), id, () => {
      const report = getUnhandledReport()
      return report
        ? report.describeUnhandled(incoming, isAsset ? [] : report.findNearestHandlers(network, incoming))
        : `No handler matches ${incoming.method} ${incoming.url.href}`
    })
  } catch (error) {
    return { type: 'network-error', error, isUnhandled: true }
  }
  return passthroughOutcome('unhandled', incoming, network)
}
