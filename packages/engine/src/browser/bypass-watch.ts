import type { Network } from '../core/network/network.ts'
import { parseUrl } from '../core/routing/parse-url.ts'

/** A request of any of these may be one that a handler matches. Timing entries do not name the method. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Calls back when the browser reports a request that a handler could match and that did not pass the service worker, as
 * after "Bypass for network" was switched on in the developer tools. The report comes when the response has arrived. It
 * is no proof: responses from a cache, and those of other origins, look the same.
 *
 * @returns ends it
 * @see https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-workerstart
 */
export function watchBypass(network: Network, onSuspicion: () => void): () => void {
  const isSuspect = ({ name, workerStart }: PerformanceResourceTiming): boolean => {
    const url = workerStart === 0 ? parseUrl(name) : undefined
    const { layers, baseUrl } = network
    return url !== undefined && methods.some((method) => layers.couldAnswer({ method, url, baseUrl }))
  }
  const observer = new PerformanceObserver((list) => {
    if ((list.getEntries() as PerformanceResourceTiming[]).some(isSuspect)) onSuspicion()
  })
  observer.observe({ type: 'resource' })
  return () => observer.disconnect()
}
