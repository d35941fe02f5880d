import { readHandlers, type HandlersInput } from '../core/handlers/check-handlers.ts'
import type { LifeCycleEmitter } from '../core/network/life-cycle-events.ts'
import { createHandlersControl, Network, type HandlersControl } from '../core/network/network.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/network/unhandled-request.ts'
import { layersWithin, runWithin } from './boundary.ts'
import { checkRequestClass } from './check-request-class.ts'
import { FetchSource } from './fetch-source.ts'
import { InterceptorsSource } from './interceptors-source.ts'
import { startListening } from './listening.ts'
import { loadPublicSuffixes } from './load-public-suffixes.ts'
import { WebSocketSource } from './web-socket-source.ts'

/** Options of {@link Server.listen}. */
export type ListenOptions = UnhandledOptions

/** Intercepts the requests of this Node process. */
export interface Server extends HandlersControl {
  /**
   * Starts to intercept. Calling it again changes the options.
   *
   * @throws for an `onUnhandledRequest` that is none, and where a polyfill replaced the global `Request` before the engine was loaded
   */
  listen(options?: ListenOptions): void
  /** Ends interception; requests reach the network again. */
  close(): void
  /**
   * Wraps a function so that handlers which it adds, resets or replaces count only for requests made inside of it,
   * across asynchronous work. It begins with the handlers that hold where it is called; boundaries nest.
   *
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
 * Intercepts requests in Node: `fetch`, `http`, `https`, `XMLHttpRequest` of jsdom, and every client built on them;
 * and the connections of the global `WebSocket`.
 *
 * @throws where an argument is no handler
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

/** Intercepts for a network whose layers are chosen already. */
export function createServer(network: Network): Server {
  const sources = [new FetchSource(), new InterceptorsSource(network), new WebSocketSource(network)]
  let stopListening: (() => void) | undefined
  return {
    ...createHandlersControl(network),
    listen(options = {}) {
      network.unhandled = readUnhandledPolicy(options)
      checkRequestClass()
      stopListening ??= startListening(network)
      for (const source of sources) source.start()
    },
    close() {
      stopListening?.()
      stopListening = undefined
      for (const source of sources) source.stop()
    },
    boundary(callback) {
      return (...args) => runWithin(network, () => callback(...args))
    },
    events: network.events,
    cookies: { clear: () => network.cookies.clear() },
  }
}
