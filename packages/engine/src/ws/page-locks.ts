/**
 * The Web Locks by which pages notice that another page no longer exists. A page sends a message when it closes, but a
 * browser may end its process before the message leaves it. No page with a lock, or one that waits for a lock, enters the
 * back/forward cache: release them in `pagehide`.
 */
export class PageLocks {
  readonly #name: string
  #away = new AbortController()
  #held: Promise<string | undefined> | undefined
  /** What to do when another page no longer exists, with the lock of that page. */
  readonly #watched = new Map<() => void, string>()

  /** @param name the name of this page's lock */
  constructor(name: string) {
    this.#name = name
  }

  /** Whether the page unloads, or is in the back/forward cache. */
  get isAway(): boolean {
    return this.#away.signal.aborted
  }

  /**
   * Holds this page's lock until {@link release}.
   *
   * @returns its name when other pages can see it; `undefined` if the browser has no locks for this page
   */
  hold(): Promise<string | undefined> {
    this.#held ??= new Promise((resolve) => {
      const refuse = (): void => resolve(undefined)
      const { signal } = this.#away
      const hold = (): Promise<void> | undefined => {
        resolve(this.#name)
        if (signal.aborted) return undefined
        return new Promise((release) => signal.addEventListener('abort', () => release()))
      }
      const { locks } = navigator as { locks?: LockManager }
      if (locks) locks.request(this.#name, { signal }, hold).catch(refuse)
      else refuse()
    })
    return this.#held
  }

  /** Calls a function when the page with a lock no longer exists, or enters the back/forward cache. */
  watch(lock: string, onGone: () => void): void {
    this.#watched.set(onGone, lock)
    this.#request(lock, onGone)
  }

  /** Releases all locks because the page unloads, or enters the back/forward cache. */
  release(): void {
    this.#away.abort()
  }

  /** Continues after the page has returned from the back/forward cache. */
  resume(): void {
    if (!this.isAway) return
    this.#away = new AbortController()
    this.#held = undefined
    for (const [onGone, lock] of this.#watched) this.#request(lock, onGone)
  }

  #request(lock: string, onGone: () => void): void {
    const { locks } = navigator as { locks?: LockManager }
    const end = (): void => {
      if (this.#watched.delete(onGone)) onGone()
    }
    // The signal rejects the request when this page leaves.
    locks?.request(lock, { mode: 'shared', signal: this.#away.signal }, end).catch(() => {})
  }
}
