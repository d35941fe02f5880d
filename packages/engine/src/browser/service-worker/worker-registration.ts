import { activationLimit, registrationTimeout } from '../lifecycle/time-outs.ts'
import { awaitOwnWorker } from './await-worker.ts'
import { askToReplace, meetForeignWorker, reachesWorker } from './foreign-worker.ts'
import { messageOf, NoServiceWorker, ServiceWorkerRemoved } from './no-service-worker.ts'
import {
  findContainer,
  findObstacle,
  resolveUrl,
  scopeOf,
  untilActivated,
  untilState,
} from './service-worker-container.ts'
import { toTrustedScriptUrl } from './trusted-script-url.ts'
import { within } from './within.ts'

/** Returns whether the URL of a registered script is the URL of our worker. */
export type FindWorker = (scriptUrl: string, mockWorkerUrl: string) => boolean

export interface WorkerLocation {
  /** URL of the worker's script, relative to the page. */
  url: string | URL
  options?: RegistrationOptions
  find?: FindWorker
  /** Whether the page can be mocked without the worker. */
  isOptional?: boolean
}

function isMeant({ find, url }: WorkerLocation, worker: ServiceWorker): boolean {
  const href = resolveUrl(url)
  return find ? find(worker.scriptURL, href) : worker.scriptURL === href
}

/**
 * Returns the worker's registration, and registers the worker if there is none.
 *
 * @returns {@link NoServiceWorker} if this page, browser or origin cannot have a service worker @throws
 * {UnderstudyError} if it could, but the script is missing
 */
export async function findRegistration(location: WorkerLocation): Promise<ServiceWorkerRegistration | NoServiceWorker> {
  const container = findContainer()
  if (container instanceof NoServiceWorker) return container
  const url = resolveUrl(location.url)
  // An app with the option `findWorker` may have registered the worker under another URL.
  const obstacle = location.find ? undefined : findObstacle(url, scopeOf(url, location.options))
  if (obstacle) return obstacle
  // Chromium's `register()` can hang if tabs reload rapidly, so do not call it if there is a registration.
  const registrations = await findRegistrations(container)
  if (registrations instanceof NoServiceWorker) return registrations
  const existing = registrations.find((registration) => {
    const [worker] = workersOf(registration)
    return worker && isMeant(location, worker) && isInScope(registration)
  })
  if (existing && !(await isDead(existing))) return existing
  const foreign = await meetForeignWorker(container, url, scopeOf(url, location.options))
  if (foreign) return foreign
  try {
    // A second call with the same script gets the result of the first one, also if that was lost.
    const registration = await awaitOwnWorker(url, 'registered', async () => {
      const options = { updateViaCache: 'none', ...location.options } as const
      const registered = await container.register(toTrustedScriptUrl(url), options)
      // Playwright replaces the function in contexts that block service workers.
      return registered ?? blocked
    })
    if (!registration)
      return new NoServiceWorker('the browser did not register the service worker in time', 'Reload the page.')
    // Our worker does not install itself if the app registered its own at the same time.
    const isOurs =
      registration instanceof NoServiceWorker || workersOf(registration).some((worker) => worker.scriptURL === url)
    return isOurs ? registration : new ServiceWorkerRemoved()
  } catch (cause) {
    const fault = await import('./worker-fault.ts')
    return fault.explainRefusal(url, location.isOptional ?? false, cause)
  }
}

const blocked = new NoServiceWorker('a test runner or a script of this page blocks service workers')

/** Returns the registrations of the origin. Browsers refuse to list them if they block storage for a site. */
async function findRegistrations(
  container: ServiceWorkerContainer,
): Promise<readonly ServiceWorkerRegistration[] | NoServiceWorker> {
  try {
    // Chromium can hang here if tabs reload rapidly.
    return (await within(registrationTimeout, container.getRegistrations())) ?? []
  } catch (error) {
    return new NoServiceWorker(
      `the browser blocks service workers here (${messageOf(error)})`,
      'If cookies or site data are blocked for this site, allow them.',
    )
  }
}

/**
 * Unregisters a registration whose worker is dead. By the specification, the active worker of a registration is not
 * redundant. In Firefox, the object of a worker can be dead in one page that met the worker while the browser started
 * it. A new worker has a new object.
 */
async function isDead(registration: ServiceWorkerRegistration): Promise<boolean> {
  const isRedundant = (): boolean => registration.active?.state === 'redundant' && workersOf(registration).length === 1
  if (!isRedundant()) return false
  // `unregister()` would also remove a worker of the app whose registration has begun. An update waits for its end.
  await within(registrationTimeout, registration.update()).catch(() => undefined)
  if (isRedundant()) await within(registrationTimeout, registration.unregister())
  return true
}

/** Returns the workers of a registration, in any state. The first one has the greatest influence on the page. */
function workersOf({ active, waiting, installing }: ServiceWorkerRegistration): ServiceWorker[] {
  return [active, waiting, installing].filter((worker) => worker !== null)
}

function isInScope({ scope }: ServiceWorkerRegistration): boolean {
  return globalThis.location.href.startsWith(scope)
}

/**
 * Waits until a registration's worker is active. If the registration had another script, waits for the new one.
 *
 * @returns our worker under another name if the new one waits for it: Chromium does not replace a worker that answers a
 * request of another page. `undefined` if the wait takes longer than the limit
 */
export async function activeWorker(
  registration: ServiceWorkerRegistration,
): Promise<ServiceWorker | NoServiceWorker | undefined> {
  const { active } = registration
  const next = registration.installing ?? registration.waiting
  if (active && (!next || next.scriptURL === active.scriptURL)) return active
  if (!next) return new ServiceWorkerRemoved()
  await askToReplace(next)
  const activated = untilActivated(next)
  const kept = untilState(next, ['installed']).then(async () => {
    const isLate = (await within(activationLimit, activated)) === undefined
    return isLate && active && (await reachesWorker(active)) ? active : activated
  })
  const state = await awaitOwnWorker(next.scriptURL, 'activated', () => Promise.race([activated, kept]))
  if (typeof state === 'object') return state
  if (registration.active?.scriptURL === next.scriptURL) return registration.active
  return state === 'redundant' ? new ServiceWorkerRemoved() : undefined
}
