import { couldAnswer } from '../../core/handlers/candidates.ts'
import type { Network } from '../../core/network/network.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'

/** The methods with which handlers are looked up, because timing entries do not contain the method. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Calls back when the browser reports a request that a handler could match and that did not pass the service worker, as
 * after "Bypass for network" was switched on in the developer tools. The report comes when the response has arrived.
 * A report does not prove it: responses from a cache and those of other origins look the same.
 *
 * @param scope the window of a frame. Its earlier requests are reported, too
 * @returns a function that ends this
 * @see https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-workerstart
 */
export function watchBypass(
  network: Network,
  onSuspicion: (suspects: readonly PerformanceEntry[]) => void,
  scope: typeof globalThis = globalThis,
): () => void {
  const isSuspect = ({ name, workerStart }: PerformanceResourceTiming): boolean => {
    const url = workerStart === 0 ? parseUrl(name) : undefined
    return url !== undefined && methods.some((method) => couldAnswer(network, method, url))
  }
  const observer = new scope.PerformanceObserver((list) => {
    const suspects = (list.getEntries() as PerformanceResourceTiming[]).filter(isSuspect)
    if (suspects.length > 0) onSuspicion(suspects)
  })
  observer.observe({ type: 'resource', buffered: scope !== globalThis })
  return () => observer.disconnect()
}
