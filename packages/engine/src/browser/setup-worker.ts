import { failure, print } from '../core/failure.ts'
import { checkHandlers } from '../core/handlers/check-handlers.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import type { LifeCycleEmitter } from '../core/network/life-cycle-events.ts'
import { createHandlersControl, Network, type HandlersControl } from '../core/network/network.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/network/unhandled-request.ts'
import { EventSourceSource } from './event-source-source.ts'
import { getGate, type PageScope } from './gate/gate.ts'
import { InPageSource } from './in-page-source.ts'
import { printConnection } from './print-connection.ts'
import { printDecision } from './print-decision.ts'
import { ServiceWorkerSource } from './service-worker-source.ts'
import { WebSocketSource } from './web-socket-source.ts'
import { NoServiceWorker, type FindWorker } from './worker-registration.ts'

/** Options of {@link SetupWorker.start}. */
export interface StartOptions extends UnhandledOptions {
  serviceWorker?: {
    /** URL of the worker's script. Default: `/understudy-worker.js`, where the plugins serve it. */
    url?: string | URL
    /** As for `navigator.serviceWorker.register`. */
    options?: RegistrationOptions
  }
  /** Tells the worker's script among the registered ones, where its URL is not known beforehand. */
  findWorker?: FindWorker
  /** No console output for each request. Default: `false`. */
  quiet?: boolean
  /** Of MSW 1 and 2, and without effect: requests wait wherever they can. */
  waitUntilReady?: boolean
}

/** Mocks the requests of a page. */
export interface SetupWorker extends HandlersControl {
  /**
   * Starts mocking. Where the page cannot have a service worker (an insecure origin, say), requests are answered in
   * the page itself, and the console says so.
   *
   * @returns the worker's registration, where there is one
   * @throws where the worker's script is missing, or an option is none
   */
  start(options?: StartOptions): Promise<ServiceWorkerRegistration | undefined>
  /** Ends mocking on this page. */
  stop(): void
  readonly events: LifeCycleEmitter
  /** The cookies that mocked responses set. */
  readonly cookies: { clear(): void }
}

/**
 * Mocks the requests of a page by a service worker.
 *
 * @throws where an argument is no handler, or there is no page
 * @example
 * const worker = setupWorker(...handlers)
 * await worker.start({ onUnhandledRequest: 'bypass' })
 */
export function setupWorker(...handlers: readonly Handler[]): SetupWorker {
  checkHandlers('set up a worker', handlers)
  return createWorker(new Network(handlers))
}

/** {@link setupWorker} over a network that the caller goes on to change. */
export function createWorker(network: Network): SetupWorker {
  if (typeof document === 'undefined') {
    throw failure('set up a worker', 'there is no page', "In Node, import setupServer from '@understudy/engine/node'.")
  }
  let source: ServiceWorkerSource | InPageSource | undefined
  let sockets: WebSocketSource | undefined
  let streams: EventSourceSource | undefined
  let starting: Promise<ServiceWorkerRegistration | undefined> | undefined

  async function start(options: StartOptions): Promise<ServiceWorkerRegistration | undefined> {
    network.unhandled = readUnhandledPolicy(options)
    network.observers.delete(printDecision)
    network.connectionObservers.delete(printConnection)
    if (!options.quiet) {
      network.observers.add(printDecision)
      network.connectionObservers.add(printConnection)
    }
    const { serviceWorker = {}, findWorker, quiet = false } = options
    // A page that no plugin prepared has no gate; sources need one for carriers, and when handlers are added later.
    const gateModule = getGate() ? undefined : import('./gate/install-gate.ts')
    const attempt = await ServiceWorkerSource.start(network, {
      url: serviceWorker.url ?? '/understudy-worker.js',
      ...(serviceWorker.options && { options: serviceWorker.options }),
      ...(findWorker && { find: findWorker }),
    })
    if (gateModule) (await gateModule).installGate(globalThis as PageScope)
    sockets = new WebSocketSource(network)
    if (attempt instanceof NoServiceWorker) {
      source = await InPageSource.start(network)
      streams = new EventSourceSource(network, source.carriers.fetch, true)
      getGate()?.open({ ...source.carriers, WebSocket: sockets.carrier, EventSource: streams.carrier })
      print.info(
        `Mocking is on, in the page itself, because ${attempt.reason}. ` +
          'Requests of its scripts are answered; those of elements (images, styles) and of workers are not.',
      )
      return undefined
    }
    source = attempt
    streams = new EventSourceSource(network, (getGate()?.natives ?? globalThis).fetch, false)
    getGate()?.open({ WebSocket: sockets.carrier, EventSource: streams.carrier })
    if (!quiet) print.info(`Mocking is on. Handlers: ${network.layers.entries().length}.`)
    return attempt.registration
  }

  return {
    ...createHandlersControl(network),
    start(options = {}) {
      if (starting) {
        print.warn('The worker is started already. Remove the second call of worker.start().')
        return starting
      }
      starting = start(options)
      starting.catch(() => {
        starting = undefined
      })
      return starting
    },
    stop() {
      source?.stop()
      source = undefined
      sockets?.stop()
      streams?.stop()
      // Takes what answers in the page out of the globals again.
      getGate()?.open()
      starting = undefined
    },
    events: network.events,
    cookies: { clear: () => network.cookies.clear() },
  }
}
