import { failure, print } from '../core/failure.ts'
import { checkOptions, readHandlers, type HandlersInput } from '../core/handlers/check-handlers.ts'
import type { Handler } from '../core/handlers/request-handler.ts'
import { cookieJarOf } from '../core/network/cookie-jar-of.ts'
import type { LifeCycleEmitter } from '../core/network/life-cycle-events.ts'
import { createNetworkHandle } from '../core/network/network-handle.ts'
import { createHandlersControl, Network, type HandlersControl } from '../core/network/network.ts'
import { setUnhandledReport } from '../core/unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../core/unhandled/unhandled-report.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../core/unhandled/unhandled-request.ts'
import { addMissingMethods, checkPlatform } from './check-platform.ts'
import { FetchSource } from './fetch-source.ts'
import { XMLHttpRequestSource } from './xml-http-request-source.ts'

setUnhandledReport(unhandledReport)
addMissingMethods()

/** Options of {@link Server.listen}. */
export type ListenOptions = UnhandledOptions

/** The control object that {@link setupServer} returns. */
export interface Server extends HandlersControl {
  /**
   * Starts to intercept. A second call changes the options.
   *
   * @throws {UnderstudyError} if the options are not an object, if `onUnhandledRequest` is not a valid policy, or the
   *   runtime is not React Native with the polyfill of `URL`
   */
  listen(options?: ListenOptions): void
  /** Stops intercepting: requests reach the network again. */
  close(): void
  /** Whether the server intercepts: 1 between `listen()` and `close()`, otherwise 0. */
  readonly readyState: 0 | 1
  /**
   * For the same type as in Node. React Native has no asynchronous contexts.
   *
   * @throws {UnderstudyError} always
   */
  boundary<Args extends unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result
  readonly events: LifeCycleEmitter
  /** The cookies that mocked responses set. */
  readonly cookies: { clear(): void }
}

/**
 * Intercepts requests in React Native that `fetch` and `XMLHttpRequest`, and clients built on them, make.
 *
 * @throws {UnderstudyError} if an argument is not a handler
 * @example
 * // index.js
 * if (__DEV__) {
 *   require('react-native-url-polyfill/auto')
 *   require('./src/mocks/native').server.listen()
 * }
 */
export function setupServer(...handlers: readonly HandlersInput[]): Server {
  const network = new Network(readHandlers('set up a server', handlers))
  const handle = createNetworkHandle(network)
  const sources = [new FetchSource(), new XMLHttpRequestSource()]
  const control = createHandlersControl(network)
  let isListening = false
  return {
    ...control,
    use(...added) {
      control.use(...added)
      if (isListening) warnOfWebSocketHandlers(control.listHandlers())
    },
    get readyState() {
      return isListening ? 1 : 0
    },
    listen(options = {}) {
      checkOptions('listen', options)
      const policy = readUnhandledPolicy(options)
      checkPlatform()
      network.unhandled = policy
      for (const source of sources) source.start(handle)
      isListening = true
      warnOfWebSocketHandlers(control.listHandlers())
    },
    close() {
      isListening = false
      for (const source of sources) source.stop()
    },
    boundary() {
      throw failure(
        'US1103',
        'create a boundary',
        'React Native has no asynchronous contexts',
        'Call use() and resetHandlers(), or run the test in Node.',
      )
    },
    events: network.events,
    cookies: { clear: () => cookieJarOf(network).clear() },
  }
}

const warned = new WeakSet<Handler>()

/** Warns of WebSocket handlers, which get no connections: those of React Native are not intercepted. */
function warnOfWebSocketHandlers(handlers: readonly Handler[]): void {
  const added = handlers.filter((handler) => handler.kind === 'websocket' && !warned.has(handler))
  if (added.length === 0) return
  for (const handler of added) warned.add(handler)
  print.warn(
    'US1105',
    'WebSocket handlers have no effect in React Native: connections reach their servers. Use a local WebSocket server instead.',
  )
}
