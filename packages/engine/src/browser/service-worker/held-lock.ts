/** A Web Lock that a page holds for others to see. Several holders of one name do not exclude each other. */
export class HeldLock {
  #name: string | undefined
  #release: () => void = () => {}
  /** Resolves when others can see the lock, or when the browser refuses it. */
  held: Promise<void> = Promise.resolve()

  /** Holds the lock. One of another name is released. */
  hold(name: string): void {
    if (this.#name === name) return
    this.release()
    this.#name = name
    const released = new Promise<void>((resolve) => {
      this.#release = resolve
    })
    // Browsers without Web Locks have none to see either.
    const { locks } = navigator as { locks?: LockManager }
    this.held = new Promise((resolve) => {
      const hold = (): Promise<void> => {
        resolve()
        return released
      }
      if (locks) locks.request(name, { mode: 'shared' }, hold).catch(resolve)
      else resolve()
    })
  }

  release(): void {
    this.#name = undefined
    this.#release()
  }
}
