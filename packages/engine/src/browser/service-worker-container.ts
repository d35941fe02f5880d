import { NoServiceWorker } from './no-service-worker.ts'

/** The page's container of service workers, or why it has none. */
export function findContainer(): ServiceWorkerContainer | NoServiceWorker {
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
