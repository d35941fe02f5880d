import { mockingLock, startingLock } from './protocol.ts'

declare const self: ServiceWorkerGlobalScope

/** The Web Locks of this origin. They tell a restarted worker the states of pages. */
export class HeldLocks {
  #reading: Promise<readonly string[] | undefined> | undefined

  /** Reads the names of the locks, one for each holder. Returns `undefined` if the browser has no Web Locks. */
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

/** Returns the name of the lock that a page of this worker holds while it mocks. */
export function ownLock(clientId: string): string {
  return mockingLock(clientId, self.registration.scope)
}

/** Returns what the locks show about a page; `undefined` if it holds none. */
export function stateByLocks(clientId: string, locks?: readonly string[]): 'mocking' | 'starting' | undefined {
  if (locks?.includes(ownLock(clientId))) return 'mocking'
  return locks?.includes(startingLock(clientId)) ? 'starting' : undefined
}
