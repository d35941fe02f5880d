import { print } from '../core/failure.ts'
import type { Network } from '../core/network/network.ts'
import { EventSourceSource } from './event-source-source.ts'
import { getGate, type Carriers, type PageScope } from './gate/gate.ts'
import { createKeepaliveFetch } from './keepalive-fetch.ts'
import { NoServiceWorker } from './no-service-worker.ts'
import { printConnection } from './print-connection.ts'
import { printDecision } from './print-decision.ts'
import { ServiceWorkerSource } from './service-worker-source.ts'
import type { StartOptions } from './start-options.ts'
import { loadOpenUnhandled, WebSocketSource } from './web-socket-source.ts'

interface Source {
  stop(): void | Promise<void>
}

// A page that no plugin prepared has no gate.
const gateModule = getGate() ? undefined : import('./gate/install-gate.ts')
gateModule?.catch(() => {})

/**
 * Holds the requests of the page where no plugin has done so, and no other engine of the page answers.
 *
 * @returns whether it did
 */
async function holdRequests(): Promise<boolean> {
  const gate = getGate()
  if (!gate) {
    const { installGate } = await (gateModule ?? import('./gate/install-gate.ts'))
    return installGate(globalThis as PageScope).state === 'held'
  }
  // Another engine may be about to end: it does not open what is held again.
  const isFree = gate.state === 'held' ? gate.isEnding : !gate.carriers.WebSocket
  if (!isFree) return false
  gate.hold()
  return true
}

/** Mocking that is on. */
export interface RunningMocking {
  /** Nothing, where the page answers itself. */
  readonly registration: ServiceWorkerRegistration | undefined
  /** Resolves when requests of the page reach the network again. They are held until then. */
  stop(): Promise<void>
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
  const openUnhandled = loadOpenUnhandled(network)
  const isHeldHere = await holdRequests()
  // What brings requests in now: it may change.
  let sources: readonly Source[] = []
  const answerInPage = async ({ reason, advice }: NoServiceWorker): Promise<void> => {
    const { InPageSource } = await import('./in-page-source.ts')
    for (const source of sources) void source.stop()
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
  ).catch((error: unknown) => {
    // The caller is told. Without a plugin, it decides what the page does then.
    if (isHeldHere) getGate()?.open()
    throw error
  })
  if (attempt instanceof NoServiceWorker) await answerInPage(attempt)
  else {
    const sockets = new WebSocketSource(network, await openUnhandled)
    const { fetch } = getGate()?.natives ?? globalThis
    // What others keep of the class is not held while the worker learns of a handler.
    const streams = new EventSourceSource(network, (...args) => attempt.lastChange.then(() => fetch(...args)), false)
    sources = [attempt, sockets, streams]
    const keepalive = createKeepaliveFetch(network, fetch)
    getGate()?.open({ ...carriersOf(sockets, streams), ...(keepalive && { fetch: keepalive }) })
    if (!quiet) print.info(`Mocking is on. Handlers: ${network.layers.entries().length}.`)
  }
  return {
    registration: attempt instanceof NoServiceWorker ? undefined : attempt.registration,
    async stop() {
      const ends = sources.map((source) => source.stop()).filter((end) => end !== undefined)
      const gate = getGate()
      // Takes what answers in the page out of the globals again.
      gate?.open()
      if (ends.length === 0) return
      const release = gate?.hold({ connections: false })
      await Promise.all(ends)
      release?.()
    },
  }
}

function carriersOf(
  { carrier: WebSocket }: WebSocketSource,
  { carrier: EventSource }: EventSourceSource,
): Pick<Partial<Carriers>, 'WebSocket' | 'EventSource'> {
  return { WebSocket, ...(EventSource && { EventSource }) }
}
