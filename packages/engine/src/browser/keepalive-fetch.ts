import { isIgnorable } from '../core/network/is-ignorable.ts'
import type { Network } from '../core/network/network.ts'
import { parseUrl } from '../core/routing/parse-url.ts'

type Fetch = typeof globalThis.fetch

/**
 * Makes a `fetch` whose requests with `keepalive` reach the service worker in Firefox, which does not show them to one.
 * They lose that mark if a handler could match: the page that answers them cannot answer after its end either.
 *
 * @returns `undefined` in other browsers
 */
export function createKeepaliveFetch(network: Network, native: Fetch): Fetch | undefined {
  if (!('mozInnerScreenX' in globalThis)) return undefined
  return function fetch(input, init) {
    const request = input instanceof Request ? input : undefined
    if (!(init?.keepalive ?? request?.keepalive)) return native(input, init)
    const url = parseUrl(input instanceof Request ? input.url : `${input}`, document.baseURI)
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
    if (!url || isIgnorable(network, method, url)) return native(input, init)
    return native(input, { ...init, keepalive: false })
  }
}
