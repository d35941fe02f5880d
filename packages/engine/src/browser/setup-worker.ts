import { failure, print } from '../core/failure.ts'
import { readHandlers, type HandlersInput } from '../core/handlers/check-handlers.ts'
import type { LifeCycleEmitter } from '../core/network/life-cycle-events.ts'
import { createHandlersControl, Network, type HandlersControl } from '../core/network/network.ts'
import { readUnhandledPolicy } from '../core/network/unhandled-request.ts'
import type { RunningMocking } from './start-mocking.ts'
import type { StartOptions } from './start-options.ts'

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
export function setupWorker(...handlers: readonly HandlersInput[]): SetupWorker {
  return createWorker(new Network(readHandlers('set up a worker', handlers)))
}

/** {@link setupWorker} over a network that the caller goes on to change. */
export function createWorker(network: Network): SetupWorker {
  if (typeof document === 'undefined') {
    throw failure('set up a worker', 'there is no page', "In Node, import setupServer from '@understudy/engine/node'.")
  }
  // What brings requests in and decides about them is a file of its own: pages that do not start are spared it.
  const loading = import('./start-mocking.ts')
  loading.catch(() => {})
  let running: RunningMocking | undefined
  let starting: Promise<ServiceWorkerRegistration | undefined> | undefined

  async function start(options: StartOptions): Promise<ServiceWorkerRegistration | undefined> {
    network.unhandled = readUnhandledPolicy(options)
    const { startMocking } = await loading
    running = await startMocking(network, options)
    return running.registration
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
      void running?.stop()
      running = undefined
      starting = undefined
    },
    events: network.events,
    cookies: { clear: () => network.cookies.clear() },
  }
}
