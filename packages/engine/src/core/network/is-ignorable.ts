import type { Network } from './network.ts'

/**
 * Whether nobody wants to know of a request: it is not the network's concern, or no handler could match it, nobody
 * listens or looks on, and what is unhandled goes unsaid. A source performs such a request without asking.
 *
 * @param method upper case
 */
export function isIgnorable(network: Network, method: string, url: URL): boolean {
  if (!network.isConcerned) return true
  const { events, layers, observers, unhandled, baseUrl } = network
  if (!unhandled.isSilent || observers.size > 0) return false
  if (events.isHeard('request:start', 'request:unhandled', 'request:end', 'response:bypass')) return false
  return !layers.couldAnswer({ method, url, baseUrl })
}
