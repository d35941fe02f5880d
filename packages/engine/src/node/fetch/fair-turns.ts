import { setImmediate } from 'node:timers'

/** The number of responses in one turn of the event loop. The longest chain of requests in a test is far shorter. */
const answersPerTurn = 256

/** Node's own timer, because tests may replace timers with fake ones that never advance. */
const schedule = setImmediate

let given = 0

/**
 * Counts a response of `fetch`. Responses arrive in the same turn of the event loop as their requests, because some
 * tests only flush promises. A client that makes a new request after each response, for example until a timer fires,
 * would block timers forever. So after many responses in one turn, the next one waits for the end of the turn.
 *
 * @returns a promise to await, or `undefined`
 */
export function endTurn(): Promise<void> | undefined {
  given += 1
  if (given === 1) schedule(() => (given = 0))
  return given > answersPerTurn ? new Promise((resolve) => schedule(() => resolve())) : undefined
}
