/** The Web Locks of this origin. Pages hold some to tell a worker that has lost its memory what they do. */
export class HeldLocks {
  #reading: Promise<readonly string[] | undefined> | undefined

  /** Reads the names of the locks, one for each holder. `undefined` where the browser has no Web Locks. */
  read(): Promise<readonly string[] | undefined> {
    this.#reading ??= (async () => {
      try {
        const { held = [] } = await navigator.locks.query()
        return held.map(({ name = '' }) => name)
      } catch {
        return undefined
      } finally {
        this.#reading = undefined
      }
    })()
    return this.#reading
  }
}
