/** Who waits for news of a client. */
export class News {
  /** Under `''`: who waits for news of any client. */
  readonly #waiting = new Map<string, Set<() => void>>()

  get isAwaited(): boolean {
    return this.#waiting.size > 0
  }

  /** Waits for news of a client; without a client id: for news of any. */
  of(clientId: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(clientId) ?? new Set()
      this.#waiting.set(clientId, waiting.add(resolve))
    })
  }

  /** Ends the waits for news of a client, and of any. */
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
