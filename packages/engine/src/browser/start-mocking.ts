import { print } from '../core/failure.ts'
import type { Network } from '../core/network/network.ts'
import { EventSourceSource } from './event-source-source.ts'
import { getGate, type Carriers, type PageScope } from './gate/gate.ts'
import { NoServiceWorker } from './no-service-worker.ts'
import { printConnection } from './print-connection.ts'
import { printDecision } from './print-decision.ts'
import { ServiceWorkerSource } from './service-worker-source.ts'
import type { StartOptions } from './start-options.ts'
import { loadOpenUnhandled, WebSocketSource } from './web-socket-source.ts'

interface Source {
  stop(): void
}

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
  const openUnhandled = loadOpenUnhandled(network)
  // What brings requests in now: it may change.
  let sources: readonly Source[] = []
  const answerInPage = async ({ reason, advice }: NoServiceWorker): Promise<void> => {
    const { InPageSource } = await import('./in-page-source.ts')
    for (const source of sources) source.stop()
    const source = await InPageSource.start(network)
    const sockets = new WebSocketSource(network, await openUnhandled)
    const streams = new EventSourceSource(network, source.carriers.fetch, true)
    sources = [source, sockets, streams]
    getGate()?.open({ ...source.carriers, ...carriersOf(sockets, streams) })
    // What stands in for a browser in tests (jsdom) requests nothing else.
    if (quiet && !('isSecureContext' in globalThis)) return
    print[advice === undefined ? 'info' : 'warn'](
      `Mocking is on, in the page itself, because ${reason}. ${advice === undefined ? '' : `${advice} `}` +
        'Requests of its scripts are answered; those of elements (images, styles) and of workers are not.',
    )
  }
  const attempt = await ServiceWorkerSource.start(
    network,
    {
      url: serviceWorker.url ?? '/understudy-worker.js',
      ...(serviceWorker.options && { options: serviceWorker.options }),
      isOptional: serviceWorker.isOptional ?? false,
      ...(findWorker && { find: findWorker }),
    },
    (problem) => void answerInPage(problem),
  )
  if (gateModule) (await gateModule).installGate(globalThis as PageScope)
  if (attempt instanceof NoServiceWorker) await answerInPage(attempt)
  else {
    const sockets = new WebSocketSource(network, await openUnhandled)
    const streams = new EventSourceSource(network, (getGate()?.natives ?? globalThis).fetch, false)
    sources = [attempt, sockets, streams]
    getGate()?.open(carriersOf(sockets, streams))
    if (!quiet) print.info(`Mocking is on. Handlers: ${network.layers.entries().length}.`)
  }
  return {
    registration: attempt instanceof NoServiceWorker ? undefined : attempt.registration,
    stop() {
      for (const source of sources) source.stop()
      // Takes what answers in the page out of the globals again.
      getGate()?.open()
    },
  }
}

function carriersOf(
  { carrier: WebSocket }: WebSocketSource,
  { carrier: EventSource }: EventSourceSource,
): Pick<Partial<Carriers>, 'WebSocket' | 'EventSource'> {
  return { WebSocket, ...(EventSource && { EventSource }) }
}
