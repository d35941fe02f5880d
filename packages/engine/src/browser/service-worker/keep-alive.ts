import { later } from '../../core/real-time.ts'

/**
 * The interval of messages that keep a worker alive, in milliseconds. Firefox ends a worker after 30 s without a
 * message.
 */
const interval = 5000

/**
 * Keeps a service worker alive while it waits for an answer or for the rest of a stream of the page. Browsers end an
 * idle worker together with its unfinished responses.
 */
export class KeepAlive {
  readonly #send: () => void
  readonly #needs: (() => boolean)[] = []
  #isScheduled = false

  /** @param send sends the worker a message */
  constructor(send: () => void) {
    this.#send = send
  }

  /** Whether the worker waits for an answer, or for the rest of a stream. */
  get isNeeded(): boolean {
    return this.#needs.some((isNeeded) => isNeeded())
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
