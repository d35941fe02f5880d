/** The state of a handler that changes when it answers. */
export interface HandlerState {
  /** Whether it answers only one request. */
  once: boolean
  /** Whether it has answered. A `once` handler then does not answer again. */
  isUsed: boolean
  /** Whether it became a `once` handler by its own response (`res.once()`). */
  isOnceByAnswer: boolean
}

/** The states of handlers in one part of a program, separate from their states elsewhere. */
export interface HandlerStates {
  /**
   * Returns the state of a handler in this part.
   *
   * @param own the state of the handler itself
   */
  of(handler: object, own: HandlerState): HandlerState
}

let statesNow: () => HandlerStates | undefined = () => undefined

/** Makes handlers use a separate state if a function returns one. */
export function chooseHandlerStates(choose: () => HandlerStates | undefined): void {
  statesNow = choose
}

/**
 * Returns the state of a handler in the current async context.
 *
 * @param own the state of the handler itself, which is used by default
 */
export function stateOf(handler: object, own: HandlerState): HandlerState {
  return statesNow()?.of(handler, own) ?? own
}
