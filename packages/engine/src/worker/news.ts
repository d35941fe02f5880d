/** The code that waits for changes of clients. */
export class News {
  /** By client id. `''`: waits for a change of any client. */
  readonly #waiting = new Map<string, Set<() => void>>()

  get isAwaited(): boolean {
    return this.#waiting.size > 0
  }

  /** Waits for a change of a client. Without a client id: of any client. */
  of(clientId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(clientId) ?? new Set()
      this.#waiting.set(clientId, waiting.add(resolve))
    })
  }

  /** Reports a change of a client: ends the waits for this client, and for any client. */
  tell(clientId: string): void {
    for (const key of [clientId, '']) {
      const waiting = this.#waiting.get(key) ?? []
      this.#waiting.delete(key)
      for (const resume of waiting) resume()
    }
  }

  tellAll(): void {
    for (const clientId of this.#waiting.keys()) this.tell(clientId)
  }
}
