/** The platform's own functions, as they were before the gate: calls to them are never held. */
export interface Natives {
  /** Call it on nothing or on the window, as the platform demands: `const { fetch } = gate.natives`. */
  readonly fetch: typeof fetch
  readonly XMLHttpRequest: typeof XMLHttpRequest
  readonly EventSource?: typeof EventSource
  readonly WebSocket?: typeof WebSocket
  /** Call it on the navigator: `gate.natives.sendBeacon?.call(navigator, url)`. */
  readonly sendBeacon?: Navigator['sendBeacon']
}

/**
 * The classes and functions that answer in the page where there is no service worker.
 *
 * A replacement sends requests that it does not answer through {@link Gate.natives}. The globals, and the values that
 * it found in them while the gate was held, both lead back to the replacement.
 */
export interface Replacements {
  /** Gets what the app passed, or the `Request` that was made of it where the call was held. */
  readonly fetch: typeof fetch
  readonly XMLHttpRequest: typeof XMLHttpRequest
  readonly EventSource: typeof EventSource
  readonly WebSocket: typeof WebSocket
  readonly sendBeacon: Navigator['sendBeacon']
}

/**
 * Holds the requests of the page's code until mocking is active. The page continues to paint.
 *
 * Without a call of `open`, the gate holds requests forever: when the handlers are broken, no request escapes.
 */
export interface Gate {
  readonly state: 'held' | 'open'
  readonly natives: Natives
  /** How many requests are held now. */
  readonly held: number
  /**
   * Restores the globals that the gate replaced, unless other code has replaced them since, and sends the held requests
   * in their order. A second call may change or remove the replacements.
   *
   * @param replacements the replacements of the globals, which get the held requests; natives for those not given
   * @example
   * getGate()?.open() // a service worker answers
   * @example
   * getGate()?.open({ fetch: mockedFetch }) // no service worker here: answer in the page
   */
  open(replacements?: Partial<Replacements>): void
  /** What {@link Gate.open} was given last. */
  readonly replacements: Partial<Replacements>
  /**
   * Holds requests again, as from the start, until {@link Gate.open}: while handlers change, none passes
   * between.
   *
   * @param options.connections whether an `EventSource` or a `WebSocket` is held too. Default: `true`
   * @returns a function that opens the gate without replacements, unless code held it again since
   */
  hold(options?: { connections?: boolean }): () => void
  /** Gets the URL of each request that is released, and when it was held first, by `performance.now()`. */
  onRelease?: (url: string | URL, heldAt: number) => void
  /** Whether requests are held, and connections are not: mocking is about to end. */
  readonly isEnding: boolean
}

/** What the product's parts share on one page, however many copies of them are loaded. Each owns its keys. */
export interface PageState {
  gate?: Gate
  /**
   * Where the dev server's own connections lead, which deliver the fix of a broken handler: paths, at any port of the
   * page's host or of this machine, or URLs. Neither these nor what is below them is held. Read once, when the gate is
   * installed.
   *
   * What Vite, webpack's and Rspack's hot updates and lazy compilation use is known already; the socket
   * of webpack-dev-server, which anything could be, is not.
   *
   * @example
   * // before the gate's script
   * globalThis[Symbol.for('understudy')] = { neverHeld: ['/ws'] }
   */
  readonly neverHeld?: readonly string[]
  /** In Firefox: the time (`performance.now()`) of the last `beforeunload`. The page may be left before mocking starts. */
  leftAt?: number
}

/** A window: the page's own, or a frame's of the same origin. */
export type PageScope = Window & typeof globalThis

const pageKey: symbol = Symbol.for('understudy')

/** The page's shared state, made where it is missing. */
export function getPageState(scope: object = globalThis): PageState {
  const known = Reflect.get(scope, pageKey) as PageState | undefined
  if (known) return known
  const created: PageState = {}
  Reflect.set(scope, pageKey, created)
  return created
}

/** The page's gate, where one was installed. */
export function getGate(scope: object = globalThis): Gate | undefined {
  return getPageState(scope).gate
}
