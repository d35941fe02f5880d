/** How often a worker that must live is sent a message, in milliseconds. Firefox ends one that gets none for 30 s. */
const interval = 5000

// A test may replace the page's timers by fake ones.
const { setTimeout: later } = globalThis

/**
 * Keeps a service worker alive while the page owes it an answer, or the rest of a stream: browsers end an idle worker
 * together with the responses that it has not finished.
 */
export class KeepAlive {
  readonly #send: () => void
  readonly #needs: (() => boolean)[] = []
  #isScheduled = false

  /** @param send sends the worker a message */
  constructor(send: () => void) {
    this.#send = send
  }

  /** Keeps the worker alive as long as a function returns `true`. */
  while(isNeeded: () => boolean): void {
    this.#needs.push(isNeeded)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    later(() => {
      this.#isScheduled = false
      const needs = this.#needs.splice(0).filter((isNeeded) => isNeeded())
      this.#needs.push(...needs)
      if (needs.length === 0) return
      this.#send()
      this.#schedule()
    }, interval)
  }
}
