/** The requests that wait for their responses. Firefox replaces a worker only while there are none. */
export class PendingResponses {
  #count = 0
  #listeners: (() => void)[] = []

  /** Returns the given response. */
  async add(response: Promise<Response>): Promise<Response> {
    this.#count += 1
    try {
      return await response
    } finally {
      this.#count -= 1
      if (this.#count === 0) for (const listener of this.#listeners.splice(0)) listener()
    }
  }

  /** Resolves when no response is pending. */
  async untilNone(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#listeners.push(resolve))
  }
}
