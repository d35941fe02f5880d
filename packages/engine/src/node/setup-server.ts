import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import { readHandlers, type HandlersInput } from '../core/handlers/check-handlers.ts'
import { cookieJarOf } from '../core/network/cookie-jar-of.ts'
import type { LifeCycleEmitter } from '../core/network/life-cycle-events.ts'
import { createNetworkHandle } from '../core/network/network-handle.ts'
import { createHandlersControl, Network, type HandlersControl } from '../core/network/network.ts'
import { setUnhandledReport } from '../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../core/unhandled/unhandled-report.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/unhandled/unhandled-request.ts'
import { layersWithin, runWithin } from './boundary.ts'
import { checkRequestClass } from './check-request-class.ts'
import { loadPublicSuffixes } from './load-public-suffixes.ts'
import { ProcessSource } from './process-source.ts'

setUnhandledReport(unhandledReport)

/** Options of {@link Server.listen}. */
export type ListenOptions = UnhandledOptions

/** The control object that {@link setupServer} returns. */
export interface Server extends HandlersControl {
  /**
   * Starts to intercept. A second call changes the options.
   *
   * @throws {UnderstudyError} if the options are not an object, if `onUnhandledRequest` is not a valid policy, or a polyfill replaced the global
   *   `Request` before the engine was loaded
   */
  listen(options?: ListenOptions): void
  /** Stops intercepting: requests reach the network again. */
  close(): void
  /** Whether the server intercepts: 1 between `listen()` and `close()`, otherwise 0. */
  readonly readyState: 0 | 1
  /**
   * Wraps a function so that handlers that it adds, resets or replaces apply only to requests made inside it, including
   * asynchronous work. It starts with the handlers of the code that calls it. Boundaries can be nested.
   *
   * @throws {UnderstudyError} if the argument is not a function
   * @example
   * test.concurrent('shows an error', server.boundary(async () => {
   *   server.use(http.get('/user', () => new HttpResponse(null, { status: 500 })))
   *   // other tests do not see it
   * }))
   */
  boundary<Args extends unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result
  readonly events: LifeCycleEmitter
  /** The cookies that mocked responses set. */
  readonly cookies: { clear(): void }
}

/**
 * Intercepts requests in Node that `fetch`, `http`, `https`, jsdom's `XMLHttpRequest` and clients built on them make, and
 * connections of the global `WebSocket`.
 *
 * @throws {UnderstudyError} if an argument is not a handler
 * @example
 * const server = setupServer(...handlers)
 * beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
 * afterEach(() => server.resetHandlers())
 * afterAll(() => server.close())
 */
export function setupServer(...handlers: readonly HandlersInput[]): Server {
  const network: Network = new Network(readHandlers('set up a server', handlers), {
    chooseLayers: (own) => layersWithin(network) ?? own,
    loadPublicSuffixes,
  })
  return createServer(network)
}

/** Creates a server for an existing network. */
export function createServer(network: Network): Server {
  const source = new ProcessSource()
  const handle = createNetworkHandle(network)
  return {
    ...createHandlersControl(network),
    get readyState() {
      return source.isStarted ? 1 : 0
    },
    listen(options = {}) {
      if (typeof options !== 'object' || options === null) {
        throw failure(
          'US0414',
          'listen',
          `${describe(options)} is not an object with options`,
          'Pass an object: server.listen({ onUnhandledRequest: "error" }).',
        )
      }
      network.unhandled = readUnhandledPolicy(options)
      checkRequestClass()
      source.start(handle)
    },
    close: () => source.stop(),
    boundary(callback) {
      if (typeof callback !== 'function') {
        throw failure(
          'US0415',
          'create a boundary',
          `${describe(callback)} is not a function`,
          'Pass the function to run in it: server.boundary(async () => { … }).',
        )
      }
      return (...args) => runWithin(network, () => callback(...args))
    },
    events: network.events,
    cookies: { clear: () => cookieJarOf(network).clear() },
  }
}
