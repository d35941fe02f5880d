import { createId } from '../core/create-id.ts'
import type { Network } from '../core/network/network.ts'
import type { Decision } from '../core/network/outcome.ts'
import type { RequestProgress } from '../core/network/request-progress.ts'
import { getUnhandledReport } from '../core/unhandled/set-unhandled-report.ts'

/**
 * Returns the decision about an operation of a batch that no handler matched. The decision about the batch itself is that a
 * handler answered.
 */
export function toPartDecision(
  { part, outcome }: Extract<RequestProgress, { type: 'part' }>,
  network: Network,
): Decision {
  const report = getUnhandledReport()
  return {
    request: part.request,
    // The part has the id of the batch.
    requestId: createId(),
    name: part.readAs?.name,
    startedAt: Date.now(),
    duration: 0,
    outcome,
    entry: undefined,
    nearest: () => report?.findNearestHandlers(network, part) ?? [],
    suggestion: () => report?.suggestHandler(part),
  }
}
