import { setImmediate } from 'node:timers'

/** How many answers one turn of the event loop gives. A test's longest chain of requests is far shorter. */
const answersPerTurn = 256

/** Node's own timer, because tests may replace timers with fake ones that never advance. */
const schedule = setImmediate

let given = 0

/**
 * Counts an answer of `fetch`. Answers come within the turn of the event loop that asked, as tests expect that only flush
 * promises. A client that asks again at every answer (it polls until a timer has fired, say) would never let a timer fire:
 * after many answers in one turn, the next waits for the turn to end.
 *
 * @returns a promise to await, or `undefined`
 */
export function endTurn(): Promise<void> | undefined {
  given += 1
  if (given === 1) schedule(() => (given = 0))
  return given > answersPerTurn ? new Promise((resolve) => schedule(() => resolve())) : undefined
}
