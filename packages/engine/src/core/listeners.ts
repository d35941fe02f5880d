/** Functions that are called with values of one kind. */
export class Listeners<Value = void> {
  readonly #all = new Set<(value: Value) => void>()

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  /** Adds a function. Returns a function that removes it. */
  add(listener: (value: Value) => void): () => void {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  /** Calls every function. */
  call(value: Value): void {
    for (const listener of this.#all) listener(value)
  }

  /** Removes every function. */
  clear(): void {
    this.#all.clear()
  }
}
