import { isIgnorable } from '../../core/network/handle-request.ts'
import type { Network } from '../../core/network/network.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'

type Fetch = typeof globalThis.fetch

/**
 * Creates a `fetch` whose `keepalive` requests reach the service worker. Firefox does not pass such requests to a service
 * worker. A request loses `keepalive` if a handler could match, because the page cannot answer after it closes.
 */
export function createKeepaliveFetch(network: Network, native: Fetch): Fetch {
  return function fetch(input, init) {
    const request = input instanceof Request ? input : undefined
    if (!(init?.keepalive ?? request?.keepalive)) return native(input, init)
    const url = parseUrl(input instanceof Request ? input.url : `${input}`, document.baseURI)
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase()
    if (!url || isIgnorable(network, method, url)) return native(input, init)
    return native(input, { ...init, keepalive: false })
  }
}
