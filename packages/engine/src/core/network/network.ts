import { nameHandler } from '../call-site.ts'
import type { CookieJar, PublicSuffixLoader } from '../cookies/cookie-jar.ts'
import { failure, print } from '../failure.ts'
import { checkHandlers } from '../handlers/check-handlers.ts'
import { HandlerLayers } from '../handlers/handler-layers.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { Listeners } from '../listeners.ts'
import { pageUrl } from '../routing/page-url.ts'
import { parseUrl } from '../routing/parse-url.ts'
import type { ScenarioSwitch } from '../scenarios/scenario-switch.ts'
import type { UnhandledPolicy } from '../unhandled/unhandled-request.ts'
import type { ClientAbort } from './client-abort.ts'
import type { AppPages } from './document-request.ts'
import { LifeCycleEmitter } from './life-cycle-events.ts'
import type { Decision } from './outcome.ts'
import type { RequestProgress } from './request-progress.ts'

export interface NetworkOptions {
  /** The base of relative paths. Default: the page's URL, if there is a page. */
  baseUrl?: string
  /** Default: {@link undecided}. */
  unhandled?: UnhandledPolicy
  /** Selects the layers for the current async context. The argument is the network's own layers. */
  chooseLayers?: (own: HandlerLayers) => HandlerLayers
  /** Returns whether the network handles requests made in the current async context. Default: it handles all. */
  concerns?: () => boolean
  /** Loads the list of public suffixes, for which responses cannot set cookies. Default: no list. */
  loadPublicSuffixes?: PublicSuffixLoader
}

/** The policy of a network until its entry reads the options of the start. It reports nothing. */
export const undecided: UnhandledPolicy = {
  decides: false,
  fails: false,
  isSilent: true,
  apply: () => Promise.resolve(),
}

/** A pending request of a script. */
export interface UnderWay {
  /** The time when the request arrived, by `performance.now()`. */
  readonly cameAt: number
  /** Aborts the request's signal. */
  readonly abort: (reason: ClientAbort) => void
}

/** Replaces {@link Network.unhandled} while a developer records requests. The inspection creates it. */
export interface Recording extends UnhandledPolicy {
  /** Whether every request goes to the network without asking handlers. */
  readonly passesAll: boolean
}

/** A WebSocket connection that handlers take, for the console lines and the log. */
export interface TakenConnection {
  readonly url: URL
  readonly handlers: readonly Handler[]
  /** The app's object. It dispatches the events that the app gets. */
  readonly socket: WebSocket
  /** Calls a function with each message that the app sends. */
  readonly onSent: (listener: (data: unknown) => void) => void
  /** Sends the app a message, as if the server had sent it. */
  readonly send: (data: string) => void
}

/**
 * Decides about requests: handlers in their layers, life-cycle events, cookies and the policy for unhandled requests.
 * `setupWorker`, `setupServer` and every other entry owns one network; sources bring requests to it.
 */
export class Network {
  readonly events: LifeCycleEmitter = new LifeCycleEmitter()
  /** Use `cookieJarOf(network)`, which creates the jar. `getResponse` removes it, because each of its calls has separate cookies. */
  cookies: CookieJar | undefined = undefined
  /** Called with every decision about a request of a source. See {@link observe}. */
  readonly decisions: Listeners<Decision> = new Listeners()
  /** Called with every step of every request that a source brings. */
  readonly progress: Listeners<RequestProgress> = new Listeners()
  /** Called with every WebSocket connection that handlers take, before the handlers. */
  readonly connections: Listeners<TakenConnection> = new Listeners()
  /** Called when the network's WebSocket source stops: links forget their clients. */
  readonly connectionsEnd: Listeners = new Listeners()
  unhandled: UnhandledPolicy
  /** Defined while requests are recorded. The code that creates it is loaded only with an inspection. */
  declare recording?: Recording | undefined
  /** The scenarios, if there are any. The code that switches them is loaded only then. */
  declare scenarios?: ScenarioSwitch
  /** What handlers modules export as `state`, by module. Not checked: panels and test runners read it. */
  declare states?: Map<unknown, unknown>
  /** The app's own pages, which handlers do not replace. Default: every path may be one. Set it before handlers are asked. */
  pages: AppPages = { base: '/', forwarded: [] }
  readonly #layers: HandlerLayers
  readonly #options: NetworkOptions
  readonly #changes: Listeners = new Listeners()
  readonly #underWay = new Set<UnderWay>()
  readonly #observersOfAll = new Set<object>()
  readonly #responseReaders = new Set<object>()

  constructor(handlers: readonly Handler[], options: NetworkOptions = {}) {
    this.#layers = new HandlerLayers(handlers)
    this.#options = options
    checkBaseUrl(options.baseUrl)
    this.unhandled = options.unhandled ?? undecided
  }

  /** The handlers in the current async context. */
  get layers(): HandlerLayers {
    return this.#options.chooseLayers?.(this.#layers) ?? this.#layers
  }

  /**
   * Returns whether this network handles requests made in the current async context. Other requests pass through
   * without handlers and events.
   */
  get isConcerned(): boolean {
    return this.#options.concerns?.() ?? true
  }

  /** The option `loadPublicSuffixes`. */
  get loadPublicSuffixes(): PublicSuffixLoader | undefined {
    return this.#options.loadPublicSuffixes
  }

  /** The option `baseUrl`. */
  get givenBaseUrl(): string | undefined {
    return this.#options.baseUrl
  }

  get baseUrl(): string | undefined {
    return this.#options.baseUrl ?? pageUrl()
  }

  /** Whether an observer needs all requests, including those that no handler could match. */
  get isObserved(): boolean {
    return this.#observersOfAll.size > 0
  }

  /** The requests that {@link abortRequests} can end. */
  get underWay(): ReadonlySet<UnderWay> {
    return this.#underWay
  }

  /** Whether the responses of requests that go to the network are passed to {@link progress}. */
  get wantsResponses(): boolean {
    return this.#responseReaders.size > 0
  }

  /** Reports the responses of requests that go to the network. Returns a function that ends this. */
  readResponses(): () => void {
    return this.#want(this.#responseReaders)
  }

  /**
   * Calls a function with the decision about every request. While there is an observer, sources bring all requests.
   * Returns a function that ends this.
   */
  observe(observer: (decision: Decision) => void): () => void {
    const ends = [this.decisions.add(observer), this.#want(this.#observersOfAll)]
    return () => ends.forEach((end) => end())
  }

  /**
   * Adds a request that {@link abortRequests} can end, because its source does not learn that the client aborted it. Returns a
   * function that removes it.
   *
   * @param abort aborts the request's signal
   * @param cameAt when the request came, by `performance.now()`
   */
  track(abort: UnderWay['abort'], cameAt: number = performance.now()): () => void {
    const request = { cameAt, abort }
    this.#underWay.add(request)
    return () => void this.#underWay.delete(request)
  }

  /**
   * Calls a function after each change of the requests that the network wants to decide about: changes of its own handlers,
   * of listeners and of observers. Returns a function that ends this.
   */
  onChange(watcher: () => void): () => void {
    const ends = [this.#changes.add(watcher), this.#layers.onChange(watcher), this.events.onListenersChange(watcher)]
    return () => ends.forEach((end) => end())
  }

  /**
   * Ends requests whose clients no longer wait: browsers do not report an abort to a service worker before there is a
   * response.
   *
   * @param isMeant selects requests by the time when they arrived (`performance.now()`)
   */
  abortRequests(reason: ClientAbort, isMeant: (cameAt: number) => boolean): void {
    for (const request of this.#underWay) if (isMeant(request.cameAt)) request.abort(reason)
  }

  /** Calls each function of {@link connectionsEnd} once, and removes it. */
  endConnections(): void {
    this.connectionsEnd.call()
    this.connectionsEnd.clear()
  }

  /** Makes sources bring more requests. Returns a function that ends this. */
  #want(wishes: Set<object>): () => void {
    const wish = {}
    wishes.add(wish)
    this.#changes.call()
    return () => {
      if (wishes.delete(wish)) this.#changes.call()
    }
  }
}

function checkBaseUrl(baseUrl: string | undefined): void {
  if (baseUrl === undefined || parseUrl(baseUrl)) return
  throw failure(
    'US0112',
    'read the option "baseUrl"',
    `"${baseUrl}" is not an absolute URL`,
    'Pass an absolute URL, such as "https://example.com".',
  )
}

/** The methods of a worker or a server for its handlers. */
export interface HandlersControl {
  /** Adds handlers that answer before all others, until {@link resetHandlers}. */
  use(...handlers: readonly Handler[]): void
  /** Removes the handlers that `use` added. With arguments, also replaces the initial handlers permanently. */
  resetHandlers(...handlers: readonly Handler[]): void
  /** Lets used `once` handlers answer again. */
  restoreHandlers(): void
  /** The handlers in the order in which they answer. */
  listHandlers(): readonly Handler[]
  /** Prints the handlers in the order in which they answer, each with the line where it was written. */
  printHandlers(): void
  /** The underlying network, for `inspect` and for plugins. Not part of the public API. */
  readonly '~network': Network
}

/** Creates a {@link HandlersControl} for the layers of the async context of each call. */
export function createHandlersControl(network: Network): HandlersControl {
  return {
    '~network': network,
    use(...handlers) {
      checkHandlers('add handlers', handlers)
      network.layers.use(handlers)
    },
    resetHandlers(...handlers) {
      checkHandlers('reset handlers', handlers)
      network.layers.reset(handlers)
    },
    restoreHandlers() {
      network.layers.restore()
    },
    listHandlers() {
      return Object.freeze(network.layers.entries().map((entry) => entry.handler))
    },
    printHandlers() {
      for (const { handler } of network.layers.entries()) print.info(nameHandler(handler))
    },
  }
}
