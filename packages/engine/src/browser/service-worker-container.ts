import { NoServiceWorker } from './no-service-worker.ts'
import { within } from './within.ts'

/** The page's container of service workers, or why it has none. */
export function findContainer(): ServiceWorkerContainer | NoServiceWorker {
  if (location.protocol === 'file:') {
    return new NoServiceWorker(
      'a page of a file (file://) has no service workers',
      'Serve the page over http://localhost to have one.',
    )
  }
  try {
    // The property is there and `undefined` in some privacy modes.
    const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
    if (container) return container
  } catch {
    return new NoServiceWorker('a sandboxed frame has no service workers (without "allow-same-origin")')
  }
  return new NoServiceWorker(
    // Pages outside of browsers (jsdom) do not say.
    (globalThis as { isSecureContext?: boolean }).isSecureContext !== false
      ? 'this browser offers no service workers here'
      : `${location.origin} is no secure origin (service workers need https or localhost)`,
  )
}

/** Why the platform would not let a script control this page, as far as URLs tell. */
export function findObstacle(url: string, scope: string): NoServiceWorker | undefined {
  const { origin, href } = location
  const script = new URL(url)
  if (script.origin !== origin) {
    return new NoServiceWorker(`the page is of ${origin}, and the service worker's script of ${script.origin}`)
  }
  return href.startsWith(scope)
    ? undefined
    : new NoServiceWorker(`this page is not below ${scope}, which the service worker controls`)
}

/** What a worker of a script would control. */
export function scopeOf(url: string, { scope }: RegistrationOptions = {}): string {
  return scope === undefined ? new URL('.', url).href : new URL(scope, document.baseURI).href
}

/** Waits until a worker is active, or will never be. */
export function untilActivated(worker: ServiceWorker): Promise<ServiceWorkerState> {
  return untilState(worker, ['activated', 'redundant'])
}

/** Waits until a worker is in one of several states. */
export function untilState(worker: ServiceWorker, states: readonly ServiceWorkerState[]): Promise<ServiceWorkerState> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (states.includes(worker.state)) resolve(worker.state)
    }
    worker.addEventListener('statechange', check)
    check()
  })
}

/** How often a page that waits for a worker's control sees whether the worker is still registered, in milliseconds. */
const controlInterval = 300
const controlLimit = 5000

/**
 * Waits until a worker controls the page.
 *
 * @returns whether it can: `false` where the worker is not registered any more
 */
export async function awaitControl(registration: ServiceWorkerRegistration, worker: ServiceWorker): Promise<boolean> {
  const container = navigator.serviceWorker
  const controlled = new Promise<true>((resolve) => {
    container.addEventListener('controllerchange', () => resolve(true), { once: true })
  })
  for (let waited = 0; waited < controlLimit && container.controller !== worker; waited += controlInterval) {
    if (await within(controlInterval, controlled)) return true
    const registrations = await within(controlLimit, container.getRegistrations()).catch(() => undefined)
    if (registrations?.includes(registration) === false) return false
  }
  return true
}
