import { discardBody, onStreamEnd, withBody } from '../handlers/finalizers.ts'
import type { IncomingRequest } from '../handlers/incoming-request.ts'
import { knownBodyOf } from '../responses/http-response.ts'
import { withUrl } from './create-outcome.ts'
import { emit } from './emit.ts'
import type { LifeCycleEmitter } from './life-cycle-events.ts'

/**
 * Calls the listeners of `response:mocked`, each with its own copy of the response.
 *
 * @returns the response for the client. A client that cancels its body does not wait for listeners, and copies that none
 *   of them has read end with it. Otherwise, the source of a stream would not see that the client has left
 */
export function emitMocked(response: Response, incoming: IncomingRequest, events: LifeCycleEmitter): Response {
  const copies: Response[] = []
  const text = knownBodyOf(response)?.text
  emit(events, 'response:mocked', () => {
    // `clone()` splits the stream of the body, and a part that is not read keeps the other one from being cancelled.
    const copy = text === undefined ? response.clone() : withBody(response, text)
    copies.push(copy)
    return {
      request: incoming.copy(),
      requestId: incoming.id,
      response: withUrl(copy, incoming.request.url),
    }
  })
  if (!response.body || text !== undefined || copies.length === 0) return response
  const leave = (isCancelled: boolean): false => {
    if (isCancelled) for (const { body } of copies) if (!body?.locked) discardBody(body)
    return false
  }
  return withBody(response, onStreamEnd(response.body, leave))
}
