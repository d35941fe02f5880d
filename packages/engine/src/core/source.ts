import type { Network } from './network/network.ts'
import type { Outcome, PassthroughOutcome } from './network/outcome.ts'

/**
 * Brings requests to a network, and carries out what the network decides about them. It decides nothing itself.
 *
 * @example
 * class QueueSource implements Source {
 *   readonly name = 'queue'
 *   start(network: NetworkHandle) {
 *     queue.send = (request) => network.handle(request).then((outcome) => carryOut(outcome, …))
 *   }
 *   stop() {
 *     queue.send = sendToServer
 *   }
 * }
 */
export interface Source {
  /** Names the source in error messages: `'fetch'`. */
  readonly name: string
  /** Starts to bring requests to a network. The requests of the source reach the network only after this. */
  start(network: NetworkHandle): void | Promise<void>
  /**
   * Stops the source: requests of clients reach their servers again. It must also work if {@link start} failed or has
   * not finished.
   */
  stop(): void | Promise<void>
}

/** The network as a {@link Source} sees it. */
export interface NetworkHandle {
  /**
   * Returns whether the network wants to decide about a request. `false` means: no handler could match it, and no
   * listener, observer or policy for unhandled requests needs it. Only then may a source send it without {@link handle}.
   *
   * Returns `true` for a URL that cannot be parsed.
   * @param url absolute, or relative to the base URL of the network
   */
  wants(method: string, url: string | URL): boolean
  /**
   * Decides about a request. Pass the outcome to {@link carryOut}. The body of the request stays unread, so that the
   * source can send it afterwards: handlers read copies.
   *
   * @returns never rejects because of a handler: errors of handlers are outcomes
   * @throws {UnderstudyError} if `request` is not a `Request`, or its body was already read
   */
  handle(request: Request, options?: HandleOptions): Promise<Outcome>
  /** Calls a function after each change of what {@link wants} returns. Returns a function that ends this. */
  onChange(listener: () => void): () => void
  /** The underlying network, for the sources of this package. Not part of the public API. */
  readonly '~network': Network
}

/** Options of {@link NetworkHandle.handle}. */
export interface HandleOptions {
  /** Identifies the request in life-cycle events. Default: a new id. */
  requestId?: string
}

/** What a source does with each kind of {@link Outcome}. */
export interface OutcomeActions<Result> {
  /** Gives the client the response of a handler. */
  respond(response: Response): Result
  /** Fails the request as if its host could not be reached. `error` contains the reason, for the console. */
  fail(error: unknown): Result
  /**
   * Sends the request to the network unchanged. If `outcome.onResponse` is defined, call it with a copy of the response
   * from there. `outcome.type` is `'unhandled'` if no handler matched.
   */
  passthrough(outcome: PassthroughOutcome<'passthrough' | 'unhandled'>): Result
}

/**
 * Carries out the decision about a request. Every source calls this function, so that none of them forgets a kind of
 * outcome.
 *
 * @returns what the action returns
 * @example
 * return carryOut(await network.handle(request), {
 *   respond: (response) => response,
 *   fail: (error) => Promise.reject(error),
 *   async passthrough({ onResponse }) {
 *     const response = await send(request)
 *     onResponse?.(response.clone())
 *     return response
 *   },
 * })
 */
export function carryOut<Result>(outcome: Outcome, actions: OutcomeActions<Result>): Result {
  if (outcome.type === 'mocked') return actions.respond(outcome.response)
  return outcome.type === 'network-error' ? actions.fail(outcome.error) : actions.passthrough(outcome)
}
