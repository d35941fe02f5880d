import type { IncomingRequest } from '../network/incoming-request.ts'

/**
 * A request that wraps others (a batch): each is answered by itself, by handlers of the same protocol, and their answers
 * make one. Where no handler answers any of them, the request goes on to the next handlers as it is.
 */
export interface Envelope {
  /** None where the request is the protocol's own business (opening a channel, say): then {@link join} answers it. */
  readonly parts: readonly IncomingRequest[]
  /**
   * Makes the one answer. Where there are parts, it is called when a handler has answered one of them at least.
   *
   * @param answers in the order of the parts; nothing for a part that is to be performed
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
  /** The last hand on a handler's response, which may be put into the form that the request asks for. It must not throw. */
  finish(response: Response, incoming: IncomingRequest): Response | Promise<Response>
  /** Told of a request that no handler matched, though handlers of this protocol were asked: it may say why. */
  missed(incoming: IncomingRequest): void
}
