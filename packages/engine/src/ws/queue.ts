/**
 * A list whose first item can be removed without moving all others, as `shift()` does in long arrays. With 100,000 messages that a
 * handler sends at once, `shift()` took several seconds.
 */
export class Queue<Item> {
  /** The newest last. */
  #added: Item[] = []
  /** The oldest last. */
  #next: Item[] = []

  get length(): number {
    return this.#added.length + this.#next.length
  }

  push(item: Item): void {
    this.#added.push(item)
  }

  /** Removes and returns the oldest item. */
  take(): Item | undefined {
    if (this.#next.length === 0) {
      this.#next = this.#added.reverse()
      this.#added = []
    }
    return this.#next.pop()
  }
}
