import type { HandlerLayers, LayerEntry } from '../handlers/handler-layers.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import { isRequestHandler, type RequestHandler } from '../handlers/request-handler.ts'
import { explainMismatch } from './explain-mismatch.ts'

/** A handler that nearly matched. */
export interface NearHandler {
  readonly entry: LayerEntry<RequestHandler>
  /** The difference, as a text for messages: `path matches, method differs: GET expected, POST sent`. */
  readonly difference: string
}

/**
 * Returns the handlers that are nearest to an unhandled request, the nearest first. It compares every handler, so call
 * it only for unhandled requests, and never for assets.
 *
 * @param limit the maximum number of handlers
 */
export function findNearestHandlers(
  network: { readonly layers: HandlerLayers },
  incoming: IncomingRequest,
  limit = 3,
): NearHandler[] {
  const found: (NearHandler & { distance: number })[] = []
  for (const entry of network.layers.entries()) {
    if (!isRequestEntry(entry)) continue
    if (!entry.enabled || (entry.handler.once && entry.handler.isUsed)) {
      const isTurnedOff = entry.handler.explainMismatch(incoming, explainMismatch) === 'matches'
      const difference = entry.enabled ? 'it matches, but has already answered once' : 'it matches, but is switched off'
      if (isTurnedOff) found.push({ entry, difference, distance: 0 })
      continue
    }
    const mismatch = entry.handler.explainMismatch(incoming, explainMismatch)
    if (mismatch && mismatch !== 'matches')
      found.push({ entry, difference: mismatch.difference, distance: mismatch.distance })
  }
  return found.sort((a, b) => a.distance - b.distance).slice(0, limit)
}

function isRequestEntry(entry: LayerEntry): entry is LayerEntry<RequestHandler> {
  return isRequestHandler(entry.handler)
}
