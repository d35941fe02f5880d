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
        response: withUrl(response.clone(), response.url || request.url),
      })),
  }
}

/**
 * Gives a response the URL that `fetch` shows: of a response that was constructed, or that came from a service worker
 * in parts, it is empty.
 */
export function withUrl(response: Response, url: string): Response {
  if (response.type === 'error') return response
  return Object.defineProperty(response, 'url', { value: url.split('#', 1)[0], configurable: true, enumerable: true })
}
