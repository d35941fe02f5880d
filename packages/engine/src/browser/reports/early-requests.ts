import { couldAnswer } from '../../core/handlers/candidates.ts'
import type { Network } from '../../core/network/network.ts'
import { parseUrl } from '../../core/routing/parse-url.ts'

/**
 * Looks, once the page has loaded, for requests from elements that were made before now, when mocking is on, and that the network
 * has answered or answers later. The gate holds the requests from scripts.
 *
 * The browser reports a protocol for responses of the network only, and for other origins only if those allow it.
 *
 * @returns a function that ends this. The browser keeps the network until then
 * @see https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-nexthopprotocol
 */
export function reportEarlyWhenLoaded(network: Network): () => void {
  const now = performance.now()
  const observer = new PerformanceObserver((list) => {
    const early = (list.getEntries() as PerformanceResourceTiming[]).filter((entry) => {
      const { name, startTime, initiatorType, nextHopProtocol } = entry
      const url = parseUrl(name)
      const isEarly = startTime < now && nextHopProtocol !== '' && !/fetch|http|beacon|event/.test(initiatorType)
      return isEarly && url && couldAnswer(network, 'GET', url)
    })
    // A page that is being left ends the loading of its files.
    if (early.length > 0)
      void import('./report-escaped.ts').then(
        (reports) => reports.reportEarly(early, network),
        () => {},
      )
  })
  // The first report contains all earlier entries.
  const look = (): void => observer.observe({ type: 'resource', buffered: true })
  if (document.readyState === 'complete') look()
  else addEventListener('load', look, { once: true })
  return () => observer.disconnect()
}
