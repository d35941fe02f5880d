import { HeldLocks } from './held-locks.ts'
import { replacingLock } from './protocol.ts'
import { replaceWhenHeld } from './replace-when-held.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * Makes the worker active at once, unless the app has registered its own worker with the same scope.
 *
 * @throws {Error} in that case, so that the browser discards this worker and keeps that of the app
 */
export async function install(): Promise<void> {
  const { active, waiting } = self.registration
  const { scriptURL } = waiting ?? active ?? { scriptURL: self.location.href }
  const isOther = scriptURL !== self.location.href
  if (isOther && !(await new HeldLocks().read())?.includes(replacingLock(scriptURL)))
    throw new Error(`${scriptURL} has the same scope`)
  // The installation must not wait for the pages.
  void (active ? replaceWhenHeld(isOther) : self.skipWaiting())
}
