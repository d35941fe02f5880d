import type { IncomingRequest } from '../core/handlers/incoming-request.ts'
import type { Envelope } from '../core/handlers/protocol.ts'
import { isPromise } from '../core/is-promise.ts'
import { createBatch } from './batch.ts'
import { BrokenRequest } from './request/broken-request.ts'
import { knownReading, readGraphQLRequest, type GraphQLReading } from './request/graphql-request.ts'
import { answerStreamControl, isStreamControl } from './response/single-connection.ts'

/**
 * Returns the parts of a request: the operations of a batch. A request that manages a channel of server-sent events has
 * no parts.
 *
 * @param place whether its URL is known to be a GraphQL endpoint
 */
export function unwrapRequest(
  incoming: IncomingRequest,
  place: { readonly isEndpoint: boolean },
): Envelope | null | Promise<Envelope | null> {
  // Only known GraphQL endpoints manage channels. Elsewhere, a PUT can be any request.
  if (place.isEndpoint && isStreamControl(incoming)) return { parts: [], join: () => answerStreamControl(incoming) }
  const reading = readGraphQLRequest(incoming)
  return isPromise(reading) ? reading.then((result) => toBatch(incoming, result)) : toBatch(incoming, reading)
}

/** Returns whether a request was parsed before, and is one operation. Such a request has no parts. */
export function isSingleOperation(incoming: IncomingRequest): boolean {
  const reading = knownReading(incoming)
  return reading != null && !(reading instanceof BrokenRequest) && !reading.isBatch && !isStreamControl(incoming)
}

function toBatch(incoming: IncomingRequest, reading: GraphQLReading): Envelope | null {
  if (reading === null || reading instanceof BrokenRequest || !reading.isBatch) return null
  return createBatch(incoming, reading.operations)
}
