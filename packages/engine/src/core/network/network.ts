import { formatCallSite } from '../call-site.ts'
import { CookieJar, type PublicSuffixLoader } from '../cookies/cookie-jar.ts'
import { failure, print } from '../failure.ts'
import { checkHandlers } from '../handlers/check-handlers.ts'
import { HandlerLayers } from '../handlers/handler-layers.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { pageUrl } from '../routing/page-url.ts'
import { parseUrl } from '../routing/parse-url.ts'
import { anyPath, type AppPages } from './document-request.ts'
import type { GivenUp } from './given-up.ts'
import { LifeCycleEmitter } from './life-cycle-events.ts'
import type { Decision } from './outcome.ts'
import { readUnhandledPolicy, type UnhandledPolicy } from './unhandled-request.ts'

export interface NetworkOptions {
  /** What relative paths are relative to. Default: the page's URL, where there is one. */
  baseUrl?: string
  unhandled?: UnhandledPolicy
  /** Chooses the layers that decide now, where there are several: given are the network's own. */
  chooseLayers?: (own: HandlerLayers) => HandlerLayers
  /** Whether a request that is made now is to be decided about here. Default: all are. */
  concerns?: () => boolean
  /** Loads the list of public suffixes, for which no response may set cookies. Default: no list is consulted. */
  loadPublicSuffixes?: PublicSuffixLoader
}

/** A request of a script that a source has brought, while it is being decided about. */
export interface UnderWay {
  /** When it came, by `performance.now()`. */
  readonly cameAt: number
  /** Aborts its signal. */
  readonly giveUp: (reason: GivenUp) => void
}

/** A WebSocket connection that handlers take: what the console lines are made of. */
export interface TakenConnection {
  readonly url: URL
  readonly handlers: readonly Handler[]
  /** The app's object; it gets what the app gets. */
  readonly socket: WebSocket
  /** Calls back with what the app sends. */
  readonly onSent: (listener: (data: unknown) => void) => void
}

/**
 * Everything that decides about requests: handlers in their layers, life-cycle events, cookies and the policy for
 * what nobody handles. `setupWorker`, `setupServer` and every other way in own one; sources carry requests to it.
 */
export class Network {
  readonly events: LifeCycleEmitter = new LifeCycleEmitter()
  /** What mocked responses set. `getResponse` replaces it, since each of its calls has cookies of its own. */
  cookies: CookieJar
  /** Told of every decision about a request that a source brings. See {@link observe}. */
  readonly observers: Set<(decision: Decision) => void> = new Set()
  /** Told of every WebSocket connection that handlers take, before they do. */
  readonly connectionObservers: Set<(connection: TakenConnection) => void> = new Set()
  /** What to call when the network's WebSocket source stops: links forget their clients. */
  readonly endings: Set<() => void> = new Set()
  /** What {@link giveUp} can end: requests whose source is not told when whoever made them gives them up. */
  readonly underWay: Set<UnderWay> = new Set()
  unhandled: UnhandledPolicy
  /** The app's own pages, which handlers do not replace. Set it before handlers are asked. */
  pages: AppPages = anyPath
  readonly #layers: HandlerLayers
  readonly #options: NetworkOptions
  readonly #watchers = new Set<() => void>()
  #observersOfAll = 0

  constructor(handlers: readonly Handler[], options: NetworkOptions = {}) {
    this.#layers = new HandlerLayers(handlers)
    this.#options = options
    this.cookies = new CookieJar(options.loadPublicSuffixes)
    checkBaseUrl(options.baseUrl)
    this.unhandled = options.unhandled ?? readUnhandledPolicy({})
  }

  /** The handlers that decide now. */
  get layers(): HandlerLayers {
    return this.#options.chooseLayers?.(this.#layers) ?? this.#layers
  }

  /**
   * Whether a request that is made now is to be decided about here. One that is not is performed: no handler is asked,
   * and nobody hears of it.
   */
  get isConcerned(): boolean {
    return this.#options.concerns?.() ?? true
  }

  /** The option `baseUrl`. */
  get givenBaseUrl(): string | undefined {
    return this.#options.baseUrl
  }

  get baseUrl(): string | undefined {
    return this.#options.baseUrl ?? pageUrl()
  }

  /** Whether somebody wants to hear of all requests, those that no handler could match included. */
  get isObserved(): boolean {
    return this.#observersOfAll > 0
  }

  /** Tells a function of the decision about every request: sources bring them all. Returns what ends that. */
  observe(observer: (decision: Decision) => void): () => void {
    this.observers.add(observer)
    this.#countObservers(1)
    return () => {
      if (this.observers.delete(observer)) this.#countObservers(-1)
    }
  }

  /**
   * Calls a function after every change of what requests the network wants to decide about: of its own handlers, of
   * listeners and of observers. Returns what ends that.
   */
  onChange(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    const ends = [this.#layers.onChange(watcher), this.events.onListenersChange(watcher)]
    return () => {
      this.#watchers.delete(watcher)
      for (const end of ends) end()
    }
  }

  /**
   * Ends requests that nobody waits for any more: browsers do not tell a service worker of it before there is an answer.
   *
   * @param isMeant is given when a request came, by `performance.now()`
   */
  giveUp(reason: GivenUp, isMeant: (cameAt: number) => boolean): void {
    for (const request of this.underWay) if (isMeant(request.cameAt)) request.giveUp(reason)
  }

  /** Calls {@link endings}. */
  endConnections(): void {
    for (const end of this.endings) end()
    this.endings.clear()
  }

  #countObservers(change: 1 | -1): void {
    this.#observersOfAll += change
    for (const watcher of this.#watchers) watcher()
  }
}

function checkBaseUrl(baseUrl: string | undefined): void {
  if (baseUrl === undefined || parseUrl(baseUrl)) return
  throw failure(
    'read the option "baseUrl"',
    `"${baseUrl}" is no absolute URL`,
    'Pass one, such as "https://example.com".',
  )
}

/** What developers do with the handlers of a worker or a server. */
export interface HandlersControl {
  /** Adds handlers that answer before all others, until {@link resetHandlers}. */
  use(...handlers: readonly Handler[]): void
  /** Removes what `use` added. With handlers, replaces the initial ones for good too. */
  resetHandlers(...handlers: readonly Handler[]): void
  /** Lets handlers that answer once, and have, answer again. */
  restoreHandlers(): void
  /** The handlers in the order in which they answer. */
  listHandlers(): readonly Handler[]
  /** Prints the handlers in the order in which they answer, each with the line where it was written. */
  printHandlers(): void
  /** The network beneath, for `inspect` and for plugins. No part of what this package promises. */
  readonly '~network': Network
}

/** {@link HandlersControl} over the layers that decide when it is called. */
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
      for (const { handler } of network.layers.entries()) {
        const { header, callSite } = handler.info
        print.info(callSite ? `${header} (${formatCallSite(callSite)})` : header)
      }
    },
  }
}
