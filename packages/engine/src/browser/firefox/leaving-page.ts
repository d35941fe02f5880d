import type { Network } from '../../core/network/network.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'
import { getPageState, type Natives, type Replacements } from '../gate/gate.ts'
import { createFetch } from '../in-page/in-page-fetch.ts'
import { createSendBeacon } from '../in-page/in-page-send-beacon.ts'
import { leavingLimit } from '../service-worker/time-outs.ts'

// The page may have begun to be left before this file was loaded.
let leftAt = getPageState().leftAt ?? -Infinity
let isHidden = false
addEventListener('beforeunload', () => {
  leftAt = performance.now()
})
addEventListener(
  'pagehide',
  () => {
    isHidden = true
  },
  true,
)
addEventListener('pageshow', ({ persisted }) => {
  // Any other one belongs to the load of this page, which may end after `beforeunload`.
  if (!persisted) return
  leftAt = -Infinity
  isHidden = false
})

/** The time (`performance.now()`) of the last `beforeunload` of a page that still may be about to end; else `-Infinity`. */
export function leavingSince(): number {
  return leftAt
}

/** Returns whether the page may be about to end. Listeners of the app may run before those above. */
export function isLeaving(): boolean {
  const { event } = globalThis as { event?: Event | undefined }
  const isNavigating = isHidden || performance.now() < leftAt + leavingLimit
  return isNavigating || /^(?:pagehide|visibilitychange|unload)$/.test(event?.type ?? '')
}

/** Returns whether the page may be about to end, and a handler could answer a request. */
export function couldAnswerLeaving(network: Network, method: string, url: string): boolean {
  const parsed = isLeaving() ? parseUrl(url, document.baseURI) : undefined
  if (!parsed) return false
  // What no handler could match must not wait for anything: the page ends.
  return network.layers.couldAnswer({ method: method.toUpperCase(), url: parsed, baseUrl: network.baseUrl })
}

/**
 * Makes a `fetch` and a `sendBeacon` whose requests the page itself answers while it is being left: Firefox sends these to
 * the network without asking the service worker.
 *
 * @param fetch what a page that stays uses
 * @param natives those of the platform
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
