import { controlInterval, controlTimeout } from '../lifecycle/time-outs.ts'
import { NoServiceWorker } from './no-service-worker.ts'
import { within } from './within.ts'

/** Returns the page's `ServiceWorkerContainer`, or the reason why it has none. */
export function findContainer(): ServiceWorkerContainer | NoServiceWorker {
  if (location.protocol === 'file:') {
    return new NoServiceWorker(
      'file:// pages cannot have service workers',
      'Serve the page over http://localhost to have one.',
    )
  }
  try {
    // In some privacy modes, the property exists and is `undefined`.
    const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
    if (container) return container
  } catch {
    return new NoServiceWorker('a sandboxed frame has no service workers (without "allow-same-origin")')
  }
  return new NoServiceWorker(
    // jsdom does not define `isSecureContext`.
    (globalThis as { isSecureContext?: boolean }).isSecureContext !== false
      ? 'this browser has no service workers here'
      : `${location.origin} is not a secure origin (service workers need https or localhost)`,
  )
}

/** Returns the reason if the URL of a script shows that it cannot control this page; otherwise `undefined`. */
export function findObstacle(url: string, scope: string): NoServiceWorker | undefined {
  const { origin, href } = location
  const script = new URL(url)
  if (script.origin !== origin) {
    return new NoServiceWorker(`the page is on ${origin}, but the service worker's script is on ${script.origin}`)
  }
  return href.startsWith(scope)
    ? undefined
    : new NoServiceWorker(`this page is not below ${scope}, which the service worker controls`)
}

/**
 * Resolves a URL of the worker. An app may have a `<base>` of another origin, for its files. There can be no worker.
 */
export function resolveUrl(url: string | URL): string {
  const { baseURI } = document
  const isElsewhere = location.protocol.startsWith('http') && new URL(baseURI).origin !== location.origin
  return new URL(url, isElsewhere ? location.href : baseURI).href
}

/** Returns the scope of a worker script. */
export function scopeOf(url: string, { scope }: RegistrationOptions = {}): string {
  return scope === undefined ? new URL('.', url).href : resolveUrl(scope)
}

/** Waits until a worker is active or redundant. */
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

/**
 * Waits until a worker controls the page.
 *
 * @returns `false` if the worker is no longer registered, so that it cannot
 */
export async function awaitControl(registration: ServiceWorkerRegistration, worker: ServiceWorker): Promise<boolean> {
  const container = navigator.serviceWorker
  const controlled = new Promise<true>((resolve) => {
    container.addEventListener('controllerchange', () => resolve(true), { once: true })
  })
  for (let waited = 0; waited < controlTimeout && container.controller !== worker; waited += controlInterval) {
    if (await within(controlInterval, controlled)) return true
    const registrations = await within(controlTimeout, container.getRegistrations()).catch(() => undefined)
    if (registrations?.includes(registration) === false) return false
  }
  return true
}
