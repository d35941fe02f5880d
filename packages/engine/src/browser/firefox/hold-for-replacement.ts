import type { Network } from '../../core/network/network.ts'
import { later, now } from '../../core/real-time.ts'
import { isMessage, type HoldMessage, type PageStateMessage } from '../../worker/protocol.ts'
import { workerTimeout } from '../lifecycle/time-outs.ts'
import { watchBypass } from '../reports/bypass-watch.ts'
import { isIdle } from '../service-worker/foreign-worker.ts'
import type { ServiceWorkerSource } from '../service-worker/service-worker-source.ts'
import { within } from '../service-worker/within.ts'

/** Requests that began this long before the replacement may reach the network, too, in milliseconds. */
const earlierRequests = 500

/**
 * Holds the requests of the page while a new worker replaces the active one, because Firefox sends requests of these
 * milliseconds to the network. A new worker asks the page to hold them, and waits for its answer. Images and style
 * sheets in the markup cannot be held, so those that went to the network are reported.
 *
 * @param source holds the requests
 * @returns ends it
 */
export function holdForReplacement(network: Network, source: ServiceWorkerSource): () => void {
  const container = navigator.serviceWorker
  const listening = new AbortController()
  const { signal } = listening
  const hold = async (controller: ServiceWorker, port: MessagePort): Promise<void> => {
    const replaced = new Promise((resolve) => {
      container.addEventListener('controllerchange', resolve, { once: true, signal })
      port.onmessage = resolve
    })
    // The active worker also has pending requests that this page made before.
    const doesHold = !source.isAnswering && (await isIdle(controller))
    port.postMessage(doesHold)
    if (!doesHold) return
    const isOver = within(workerTimeout, replaced)
    reportUntil(isOver, network)
    // The source of the service worker listens to the same event, and holds the requests until it knows the new worker.
    await isOver
  }
  const onMessage = (event: MessageEvent<unknown>): void => {
    const { data } = event
    const [port] = event.ports
    if (!port || !isMessage(data) || data.type !== ('understudy:hold' satisfies HoldMessage['type'])) return
    // One engine of the page answers.
    event.stopImmediatePropagation()
    const { controller } = container
    if (controller) void source.holdUntil(hold(controller, port))
    else port.postMessage(true)
  }
  container.addEventListener('message', onMessage, { signal })
  // A worker of another version waits for the end of this start.
  source.registration.waiting?.postMessage({ type: 'understudy:replace' } satisfies PageStateMessage)
  return () => listening.abort()
}

/** Reports the requests that go to the network until the new worker is active. */
function reportUntil(replaced: Promise<unknown>, network: Network): void {
  // Images reach the browser's process later than requests from scripts.
  const beganAt = now() - earlierRequests
  let endedAt = Infinity
  const end = watchBypass(network, (suspects) => {
    const escaped = (suspects as PerformanceResourceTiming[]).filter(
      // A response from a cache has no protocol.
      ({ startTime, nextHopProtocol }) => startTime >= beganAt && startTime <= endedAt && nextHopProtocol !== '',
    )
    if (escaped.length > 0)
      void import('../reports/report-escaped.ts').then(({ reportEscaped }) => reportEscaped(escaped))
  })
  void replaced.then(() => {
    endedAt = now()
    // The browser reports a request when its response has arrived.
    later(end, workerTimeout)
  })
}
