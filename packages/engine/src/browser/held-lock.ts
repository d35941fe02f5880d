/** A Web Lock that a page holds for others to see. Several holders of one name do not exclude each other. */
export class HeldLock {
  #name: string | undefined
  #release: () => void = () => {}

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
    locks?.request(name, { mode: 'shared' }, () => released).catch(() => {})
  }

  release(): void {
    this.#name = undefined
    this.#release()
  }
}
