/** What changes of a handler as it answers. */
export interface HandlerState {
  /** Whether it answers one request only. */
  once: boolean
  /** Whether it has answered, and, where it answers once, will not again. */
  isUsed: boolean
  /** Whether it answers one request only because its answer said so. */
  isOnceByAnswer: boolean
}

/** The states that handlers have in some part of a program, apart from those that they have elsewhere. */
export type HandlerStates = WeakMap<object, HandlerState>

let statesNow: () => HandlerStates | undefined = () => undefined

/** Has handlers keep their state apart, where a function says so. */
export function chooseHandlerStates(choose: () => HandlerStates | undefined): void {
  statesNow = choose
}

/**
 * The state of a handler, here and now.
 *
 * @param own where it is kept as a rule: with the handler itself
 */
export function stateOf(handler: object, own: HandlerState): HandlerState {
  const states = statesNow()
  if (!states) return own
  let state = states.get(handler)
  // It begins as the handler is elsewhere.
  if (!state) states.set(handler, (state = { ...own }))
  return state
}
