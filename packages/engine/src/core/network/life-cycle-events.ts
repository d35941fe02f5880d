import { describe } from '../describe.ts'
import { failure, print } from '../failure.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { Listeners } from '../listeners.ts'

interface RequestEvent {
  request: Request
  requestId: string
}

interface WebSocketEvent {
  url: URL
  /** The subprotocols that the app offers, in the form in which it passed them. */
  protocols: string | string[] | undefined
}

interface SubscriptionEvent {
  /** Empty if the operation is anonymous. */
  operationName: string
  /** The document. */
  query: string
  variables: Record<string, unknown>
  /** The request that opened the WebSocket. */
  request: Request
}

/** The life-cycle events, by name. */
export interface LifeCycleEvents {
  /** A request arrived. */
  'request:start': RequestEvent
  /** A handler matched and is about to be asked. */
  'request:match': RequestEvent & { handler: RequestHandler }
  /** No handler matched. */
  'request:unhandled': RequestEvent
  /** The decision about the request is made. */
  'request:end': RequestEvent
  /** A handler answered. */
  'response:mocked': RequestEvent & { response: Response }
  /** A passthrough or unhandled request got its response from the network. */
  'response:bypass': RequestEvent & { response: Response }
  /** A resolver threw a value that is not a response. */
  unhandledException: RequestEvent & { error: Error }
  /** An app opens a WebSocket, and there are WebSocket handlers. */
  'websocket:connection': WebSocketEvent
  /** A WebSocket handler threw. */
  'websocket:error': WebSocketEvent & { error: Error }
  /** A handler answers a subscription that arrived over a WebSocket. */
  'graphql:subscription': SubscriptionEvent
}

/** The name of a life-cycle event: `'request:start'`. */
export type LifeCycleEventName = keyof LifeCycleEvents

/**
 * The arguments of listeners by event, as MSW 2 declares them, for emitters that code passes to `handleRequest`. Not an
 * interface: an interface does not fit the index signature that emitters require.
 */
export type LifeCycleEventsMap = { [Name in LifeCycleEventName]: [args: LifeCycleEvents[Name]] }

/** The argument of a listener. Its `type` is the name of the event. `'*'` stands for any event. */
export type LifeCycleEvent<Name extends LifeCycleEventName | '*'> = {
  [Key in LifeCycleEventName]: LifeCycleEvents[Key] & { readonly type: Key }
}[Name extends LifeCycleEventName ? Name : LifeCycleEventName]

const isEvent =
  /^(?:\*|request:(?:start|match|unhandled|end)|response:(?:mocked|bypass)|unhandledException|websocket:(?:connection|error)|graphql:subscription)$/

/** A listener of `worker.events` or `server.events`. The network does not await its result. */
export type LifeCycleListener<Name extends LifeCycleEventName | '*'> = (event: LifeCycleEvent<Name>) => unknown

/** The options of `events.on()`. */
export interface LifeCycleListenerOptions {
  /** Whether to listen to only one event. Default: `false`. */
  once?: boolean
  /** Removes the listener when it aborts. */
  signal?: AbortSignal
}

/** One addition of a listener. A listener that was added twice is called twice. */
export interface Addition {
  readonly name: LifeCycleEventName | '*'
  readonly listener: (event: never) => unknown
  readonly once: boolean | undefined
}

/**
 * The listeners of a network's life-cycle events. `emit` calls them.
 *
 * @example
 * worker.events.on('request:start', ({ request, requestId }) => console.log(requestId, request.url))
 */
export class LifeCycleEmitter {
  /** Replaced, never mutated, because an event may be iterating over it. */
  #additions: readonly Addition[] = []
  readonly #changes: Listeners = new Listeners()

  /**
   * Adds a listener of one event, or of every event (`'*'`). Listeners are called in the order in which they were added.
   * Warns if there is no event of this name.
   *
   * @throws {UnderstudyError} if the listener is not a function
   */
  on<Name extends LifeCycleEventName | '*'>(
    name: Name,
    listener: LifeCycleListener<Name>,
    options: LifeCycleListenerOptions = {},
  ): this {
    if (typeof listener !== 'function') {
      throw failure(
        'US0226',
        `add a listener of "${name}"`,
        `${describe(listener)} is not a function`,
        'Pass a function.',
      )
    }
    // A later version of MSW may have more events, so this is not an error.
    if (!isEvent.test(name)) {
      print.warn('US0227', `A listener of "${name}" is never called: there is no such event. Correct its name.`)
    }
    if (options.signal?.aborted) return this
    const addition: Addition = { name, listener, once: options.once }
    options.signal?.addEventListener('abort', () => this.remove(addition), { once: true })
    this.#additions = [...this.#additions, addition]
    this.#changes.call()
    return this
  }

  /** Adds a listener that is called once. */
  once<Name extends LifeCycleEventName | '*'>(
    name: Name,
    listener: LifeCycleListener<Name>,
    options: LifeCycleListenerOptions = {},
  ): this {
    return this.on(name, listener, { ...options, once: true })
  }

  /** Removes a listener. If it was added twice, removes the first addition. */
  removeListener<Name extends LifeCycleEventName | '*'>(name: Name, listener: LifeCycleListener<Name>): this {
    const removed = this.#additions.find((each) => each.name === name && each.listener === listener)
    return this.#keep((each) => each !== removed)
  }

  /** Removes the listeners of an event, or all. */
  removeAllListeners(name?: LifeCycleEventName | '*'): this {
    return this.#keep((each) => name !== undefined && each.name !== name)
  }

  /** Returns the number of listeners of this event, without those of `'*'`. */
  listenerCount(name: LifeCycleEventName | '*'): number {
    return this.#additions.filter((each) => each.name === name).length
  }

  /** Returns whether any of these events has a listener. */
  isHeard(...names: readonly LifeCycleEventName[]): boolean {
    return this.#additions.some(({ name }) => name === '*' || names.includes(name))
  }

  /** Returns the additions in their order. */
  additions(): readonly Addition[] {
    return this.#additions
  }

  /** Removes one addition. */
  remove(addition: Addition): void {
    this.#keep((each) => each !== addition)
  }

  /** Calls a function each time a listener is added or removed. Returns a function that ends this. */
  onListenersChange(watcher: () => void): () => void {
    return this.#changes.add(watcher)
  }

  #keep(isKept: (addition: Addition) => boolean): this {
    this.#additions = this.#additions.filter(isKept)
    this.#changes.call()
    return this
  }
}
