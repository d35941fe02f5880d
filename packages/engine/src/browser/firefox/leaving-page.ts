import { couldAnswer } from '../../core/handlers/candidates.ts'
import type { Network } from '../../core/network/network.ts'
import { now } from '../../core/real-time.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'
import { getPageState, type Natives, type Replacements } from '../gate/gate.ts'
import { createFetch } from '../in-page/in-page-fetch.ts'
import { createSendBeacon } from '../in-page/in-page-send-beacon.ts'
import { leavingLimit } from '../lifecycle/time-outs.ts'

// `beforeunload` may have fired before this file was loaded.
let leftAt = getPageState().leftAt ?? -Infinity
let isHidden = false
addEventListener('beforeunload', () => {
  leftAt = now()
})
addEventListener(
  'pagehide',
  () => {
    isHidden = true
  },
  true,
)
addEventListener('pageshow', ({ persisted }) => {
  // Any other such event belongs to the load of this page, which may end after `beforeunload`.
  if (!persisted) return
  leftAt = -Infinity
  isHidden = false
})

/**
 * Returns the time (`performance.now()`) of the last `beforeunload` if the page may still be unloading; otherwise
 * `-Infinity`.
 */
export function leavingSince(): number {
  return leftAt
}

/** Returns whether the page may be unloading. Listeners of the app may run before the listeners above. */
export function isLeaving(): boolean {
  const { event } = globalThis as { event?: Event | undefined }
  const isNavigating = isHidden || now() < leftAt + leavingLimit
  return isNavigating || /^(?:pagehide|visibilitychange|unload)$/.test(event?.type ?? '')
}

/** Returns whether the page may be unloading and a handler could answer a request. */
export function couldAnswerLeaving(network: Network, method: string, url: string): boolean {
  const parsed = isLeaving() ? parseUrl(url, document.baseURI) : undefined
  if (!parsed) return false
  // Send a request that no handler could match at once: the page ends.
  return couldAnswer(network, method.toUpperCase(), parsed)
}

/**
 * Creates a `fetch` and a `sendBeacon` whose requests the page itself answers while it unloads: Firefox sends these to
 * the network without asking the service worker.
 *
 * @param fetch the `fetch` to use while the page does not unload
 * @param natives the platform's functions
 */
export function createLeavingSources(
  network: Network,
  fetch: typeof globalThis.fetch,
  natives: Natives,
): Pick<Replacements, 'fetch' | 'sendBeacon'> {
  const inPageFetch = createFetch(network, natives.fetch, () => true)
  const inPageBeacon = createSendBeacon(inPageFetch)
  return {
    fetch(input, init) {
      const { method, url } = input instanceof Request ? input : { method: 'GET', url: String(input) }
      return (couldAnswerLeaving(network, init?.method ?? method, url) ? inPageFetch : fetch)(input, init)
    },
    sendBeacon(url, data) {
      return couldAnswerLeaving(network, 'POST', String(url))
        ? inPageBeacon(url, data)
        : (natives.sendBeacon?.call(navigator, url, data) ?? false)
    },
  }
}
