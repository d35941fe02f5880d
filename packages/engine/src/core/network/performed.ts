import type { IncomingRequest } from './incoming-request.ts'
import type { Network } from './network.ts'
import type { Performed } from './outcome.ts'

/** A request that the source performs as it is. */
export function performed<Type extends 'passthrough' | 'unhandled'>(
  type: Type,
  incoming: IncomingRequest,
  { events }: Network,
): Performed<Type> {
  if (!events.isHeard('response:bypass')) return { type, tell: undefined }
  // When the response is there, the body of the request itself was sent.
  const request = incoming.copy()
  return {
    type,
    tell: (response) =>
      events.emit('response:bypass', () => ({
        request: request.body === null ? request : request.clone(),
        requestId: incoming.id,
        response: response.clone(),
      })),
  }
}
