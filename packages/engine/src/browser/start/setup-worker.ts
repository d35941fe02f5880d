import { failure, print } from '../../core/failure.ts'
import { checkOptions, readHandlers, type HandlersInput } from '../../core/handlers/check-handlers.ts'
import type { LifeCycleEmitter } from '../../core/network/life-cycle-events.ts'
import { createHandlersControl, Network, undecided, type HandlersControl } from '../../core/network/network.ts'
import type { RunningMocking } from './start-mocking.ts'
import type { StartOptions } from './start-options.ts'

/** The control object that {@link setupWorker} returns. */
export interface SetupWorker extends HandlersControl {
  /**
   * Starts mocking. If the page cannot have a service worker, for example on an insecure origin, requests are answered in
   * the page, and the console says so.
   *
   * @returns the worker's registration; `undefined` if requests are answered in the page
   * @throws {UnderstudyError} if the worker's script is missing, or an option is not valid
   */
  start(options?: StartOptions): Promise<ServiceWorkerRegistration | undefined>
  /** Ends mocking on this page. */
  stop(): void
  /** Whether `start()` was called: 1 from then on, 0 before it and after `stop()`. */
  readonly readyState: 0 | 1
  readonly events: LifeCycleEmitter
  /** The cookies that mocked responses set. */
  readonly cookies: { clear(): void }
}

/**
 * Mocks a page's requests with a service worker.
 *
 * @throws {UnderstudyError} if an argument is not a handler, or there is no page
 * @example
 * const worker = setupWorker(...handlers)
 * await worker.start({ onUnhandledRequest: 'bypass' })
 */
export function setupWorker(...handlers: readonly HandlersInput[]): SetupWorker {
  return createWorker(new Network(readHandlers('set up a worker', handlers)))
}

/** {@link setupWorker} for a network that the caller can still change. */
export function createWorker(network: Network): SetupWorker {
  if (typeof document === 'undefined') {
    throw failure(
      'US0302',
      'set up a worker',
      'there is no page',
      "In Node, import setupServer from '@understudy/engine/node'.",
    )
  }
  // The sources and the code that decides about requests are in a separate file, which only pages that start mocking
  // load.
  const loading = import('./start-mocking.ts')
  loading.catch(ignore)
  let running: RunningMocking | undefined
  let starting: Promise<ServiceWorkerRegistration | undefined> | undefined
  let stops = 0
  /** The end of the last start: the next one waits for it if `stop()` came first. */
  let ended: Promise<unknown> | undefined

  async function start(options: StartOptions): Promise<ServiceWorkerRegistration | undefined> {
    checkOptions('start the worker', options)
    // The loaded code reads the option, unless the caller sets a policy of its own meanwhile.
    network.unhandled = undecided
    const stopsBefore = stops
    await ended
    const { startMocking, untilShown } = await loading
    await untilShown()
    if (stops !== stopsBefore) return undefined
    const started = await startMocking(network, options)
    if (stops === stopsBefore) running = started
    else await started.stop()
    return running?.registration
  }

  return {
    ...createHandlersControl(network),
    get readyState() {
      return starting ? 1 : 0
    },
    start(options = {}) {
      if (starting) {
        print.warn(
          'US0303',
          'Failed to start the worker: it is already started. Remove the second call of worker.start().',
        )
        return starting
      }
      const current = (starting = start(options))
      ended = current.catch(() => {
        if (starting === current) starting = undefined
      })
      return current
    },
    stop() {
      stops += 1
      void running?.stop()
      running = undefined
      starting = undefined
    },
    events: network.events,
    cookies: {
      clear() {
        if (network.cookies) network.cookies.clear()
        // Before the start: cookies that a previous page stored.
        else void loading.then(({ cookieJarOf }) => cookieJarOf(network).clear(), ignore)
      },
    },
  }
}

/** The start fails with the error. */
function ignore(): void {}
