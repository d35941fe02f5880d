/** A Web Lock that a page holds as a signal to the worker. Several holders of one name do not exclude each other. */
export class HeldLock {
  #name: string | undefined
  #release: () => void = () => {}
  /** Resolves when others can see the lock, or when the browser refuses it. */
  held: Promise<void> = Promise.resolve()

  /** Holds a lock with this name, and releases the previous one. */
  hold(name: string): void {
    if (this.#name === name) return
    this.release()
    this.#name = name
    const released = new Promise<void>((resolve) => {
      this.#release = resolve
    })
    // In a browser without Web Locks, the worker cannot read locks either.
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
