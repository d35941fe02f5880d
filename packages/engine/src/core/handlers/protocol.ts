import type { IncomingRequest } from '../network/incoming-request.ts'

/**
 * A request that contains others (a batch). Handlers of the same protocol answer each one separately, and one response
 * combines their answers. If no handler answers any of them, the request passes to the next handlers unchanged.
 */
export interface Envelope {
  /** None where the request is the protocol's own business (opening a channel, say): then {@link join} answers it. */
  readonly parts: readonly IncomingRequest[]
  /**
   * Joins the responses of the parts into one. Called if a handler has answered at least one part.
   *
   * @param answers in the order of the parts; `undefined` for a part that no handler answered
   */
  join(answers: readonly (Response | undefined)[]): Response | Promise<Response>
}

/**
 * A protocol that travels in HTTP requests (GraphQL): what its handlers have in common. All of them share one object.
 * The layers and `handleRequest` know no more of a protocol than this.
 */
export interface Protocol {
  /**
   * The keys that a request asks for; `null`: any. Handlers that have a key are found by it, so that the cost of
   * matching does not grow with their number.
   */
  keysOf(incoming: IncomingRequest): readonly string[] | null | Promise<readonly string[] | null>
  /** Post-processes a handler's response, for example into the format that the request accepts. It must not throw. */
  finish(response: Response, incoming: IncomingRequest): Response | Promise<Response>
  /** Called with an unhandled request if handlers of this protocol were asked. It may print the reason. */
  reportUnhandled(incoming: IncomingRequest): void
}
