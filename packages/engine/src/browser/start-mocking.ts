import { print } from '../core/failure.ts'
import type { Network } from '../core/network/network.ts'
import { EventSourceSource } from './event-source-source.ts'
import { getGate, type PageScope } from './gate/gate.ts'
import { printConnection } from './print-connection.ts'
import { printDecision } from './print-decision.ts'
import { ServiceWorkerSource } from './service-worker-source.ts'
import type { StartOptions } from './start-options.ts'
import { WebSocketSource } from './web-socket-source.ts'
import { NoServiceWorker } from './worker-registration.ts'

/** Mocking that is on. */
export interface RunningMocking {
  /** Nothing, where the page answers itself. */
  readonly registration: ServiceWorkerRegistration | undefined
  stop(): void
}

/**
 * Brings the requests of the page to a network: by a service worker, or in the page where it can have none.
 *
 * @throws where the worker's script is missing
 */
export async function startMocking(network: Network, options: StartOptions): Promise<RunningMocking> {
  const { serviceWorker = {}, findWorker, quiet = false } = options
  network.observers.delete(printDecision)
  network.connectionObservers.delete(printConnection)
  if (!quiet) {
    network.observers.add(printDecision)
    network.connectionObservers.add(printConnection)
  }
  // A page that no plugin prepared has no gate; sources need one for carriers, and when handlers are added later.
  const gateModule = getGate() ? undefined : import('./gate/install-gate.ts')
  const attempt = await ServiceWorkerSource.start(network, {
    url: serviceWorker.url ?? '/understudy-worker.js',
    ...(serviceWorker.options && { options: serviceWorker.options }),
    isOptional: serviceWorker.isOptional ?? false,
    ...(findWorker && { find: findWorker }),
  })
  if (gateModule) (await gateModule).installGate(globalThis as PageScope)
  const sockets = new WebSocketSource(network)
  if (attempt instanceof NoServiceWorker) {
    const { InPageSource } = await import('./in-page-source.ts')
    const source = await InPageSource.start(network)
    const streams = new EventSourceSource(network, source.carriers.fetch, true)
    getGate()?.open({ ...source.carriers, WebSocket: sockets.carrier, EventSource: streams.carrier })
    print.info(
      `Mocking is on, in the page itself, because ${attempt.reason}. ` +
        'Requests of its scripts are answered; those of elements (images, styles) and of workers are not.',
    )
    return { registration: undefined, stop: () => stop(source, sockets, streams) }
  }
  const streams = new EventSourceSource(network, (getGate()?.natives ?? globalThis).fetch, false)
  getGate()?.open({ WebSocket: sockets.carrier, EventSource: streams.carrier })
  if (!quiet) print.info(`Mocking is on. Handlers: ${network.layers.entries().length}.`)
  return { registration: attempt.registration, stop: () => stop(attempt, sockets, streams) }
}

function stop(...sources: readonly { stop(): void }[]): void {
  for (const source of sources) source.stop()
  // Takes what answers in the page out of the globals again.
  getGate()?.open()
}
