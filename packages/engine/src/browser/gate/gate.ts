import type { WebSocketStreamArgs } from '../../ws/web-socket-stream.ts'

/**
 * A function of Chromium that makes a request when the page ends, or after a time.
 *
 * @see https://fetch.spec.whatwg.org/#fetch-later-method
 */
export type FetchLater = (
  input: RequestInfo | URL,
  init?: RequestInit & { activateAfter?: number },
) => { readonly activated: boolean }

/** The platform's own functions, as they were before the gate: calls to them are never held. */
export interface Natives {
  /** Call it without an object or on the window, as the platform requires: `const { fetch } = gate.natives`. */
  readonly fetch: typeof fetch
  readonly XMLHttpRequest: typeof XMLHttpRequest
  readonly EventSource?: typeof EventSource
  readonly WebSocket?: typeof WebSocket
  /** Call it on the navigator: `gate.natives.sendBeacon?.call(navigator, url)`. */
  readonly sendBeacon?: Navigator['sendBeacon']
  readonly fetchLater?: FetchLater
  readonly Worker?: typeof Worker
  readonly SharedWorker?: typeof SharedWorker
}

/**
 * The classes and functions that answer in the page if there is no service worker. A replacement sends requests that it
 * does not answer through {@link Gate.natives}. Otherwise it would call itself: the globals, and functions that code
 * read from them while the gate was closed, both call the replacement.
 */
export interface Replacements {
  /** Gets the app's arguments, or the `Request` that was created from them if the call was held. */
  readonly fetch: typeof fetch
  readonly XMLHttpRequest: typeof XMLHttpRequest
  readonly EventSource: typeof EventSource
  readonly WebSocket: typeof WebSocket
  readonly sendBeacon: Navigator['sendBeacon']
  readonly fetchLater: FetchLater
  readonly Worker: typeof Worker
  readonly SharedWorker: typeof SharedWorker
}

/**
 * Holds the requests of the page's code until mocking is active. The page continues to paint.
 *
 * Without a call of `open`, the gate holds requests forever: when the handlers are broken, no request escapes.
 */
export interface Gate {
  readonly state: 'held' | 'open'
  readonly natives: Natives
  /** The number of requests that are held now. */
  readonly held: number
  /**
   * Restores the globals that the gate replaced, unless other code has replaced them since, and sends the held requests
   * in their order. A second call may change or remove the replacements.
   *
   * @param replacements the replacements of the globals, which get the held requests. Default of each: the platform's
   * function
   * @example
   * getGate()?.open() // a service worker answers
   * @example
   * getGate()?.open({ fetch: mockedFetch }) // there is no service worker: answer in the page
   */
  open(replacements?: Partial<Replacements>): void
  /** The argument of the last call of {@link Gate.open}. */
  readonly replacements: Partial<Replacements>
  /**
   * Holds requests again until {@link Gate.open}, so that no request passes while handlers change.
   *
   * @param options.connections whether `EventSource` and `WebSocket` connections are held, too. Default: `true`
   * @returns a function that opens the gate without replacements, unless code has called `hold` again since
   */
  hold(options?: { connections?: boolean }): () => void
  /** Called for each released request with its URL, and the time (`performance.now()`) when it was first held. */
  onRelease?: (url: string | URL, heldAt: number) => void
  /** Whether requests are held and connections are not, because mocking is about to end. */
  readonly isEnding: boolean
}

/**
 * The state that all parts of Understudy share on one page, even if several copies are loaded. Each part owns its keys.
 */
export interface PageState {
  gate?: Gate
  /**
   * The URLs and paths of the dev server's own connections, which deliver the fix of a broken handler. A path applies
   * to any port of the page's host and of this machine. The gate does not hold requests to these, or to paths below
   * them. Read once, when the gate is installed. The gate knows the paths of hot updates and lazy compilation of Vite,
   * webpack and Rspack, but not the socket of webpack-dev-server, whose path is configurable.
   *
   * @example
   * // before the gate's script
   * globalThis[Symbol.for('understudy')] = { neverHeld: ['/ws'] }
   */
  readonly neverHeld?: readonly string[]
  /** The URL of the panel that shows this page, which the console prints. */
  readonly panel?: string
  /** The arguments of each `new WebSocketStream()` (Chromium) while requests are held. The gate does not hold these. */
  earlyStreams?: WebSocketStreamArgs[]
  /** In Firefox: the time (`performance.now()`) of the last `beforeunload`. The page may be left before mocking starts. */
  leftAt?: number
}

/** A window: that of the page, or of a frame of the same origin. */
export type PageScope = Window & typeof globalThis

const pageKey: symbol = Symbol.for('understudy')

/** Returns the page's shared state. Creates it if it is missing. */
export function getPageState(scope: object = globalThis): PageState {
  const known = Reflect.get(scope, pageKey) as PageState | undefined
  if (known) return known
  const created: PageState = {}
  Reflect.set(scope, pageKey, created)
  return created
}

/** Returns the page's gate, if one was installed. */
export function getGate(scope: object = globalThis): Gate | undefined {
  return getPageState(scope).gate
}
