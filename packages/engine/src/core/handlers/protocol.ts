import type { IncomingRequest } from './incoming-request.ts'

/**
 * A request that contains others (a batch). Handlers of the same protocol answer each one separately, and one response
 * combines their answers. If no handler answers any of them, the request passes to the next handlers unchanged.
 */
export interface Envelope {
  /**
   * Empty if the protocol itself answers the request, for example to open a channel. Then {@link join} returns the
   * response.
   */
  readonly parts: readonly IncomingRequest[]
  /**
   * Joins the responses of the parts into one. Called if a handler has answered at least one part.
   *
   * @param answers in the order of the parts; `undefined` for a part that no handler answered
   */
  join(answers: readonly (Response | undefined)[]): Response | Promise<Response>
}

/**
 * What the handlers of a protocol over HTTP, such as GraphQL, have in common. They share one object. The layers and
 * `handleRequest` use a protocol only through this interface.
 */
export interface Protocol {
  /**
   * Returns the keys of a request; `null`: any key. Handlers with a key are looked up by it, so that the cost of
   * matching does not grow with their number. If the body must be read first, returns a promise: the caller calls this
   * again when it has resolved, and then gets the keys.
   */
  keysOf(incoming: IncomingRequest): readonly string[] | null | Promise<unknown>
  /** Post-processes a handler's response, for example into the format that the request accepts. It must not throw. */
  finish(response: Response, incoming: IncomingRequest): Response | Promise<Response>
  /** Called with an unhandled request if handlers of this protocol were asked. It may print the reason. */
  reportUnhandled(incoming: IncomingRequest): void
}
