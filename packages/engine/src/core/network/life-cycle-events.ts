import { print } from '../failure.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { callListener } from './older-callbacks.ts'

interface RequestEvent {
  request: Request
  requestId: string
}

interface WebSocketEvent {
  url: URL
  /** The subprotocols that the app offers, as it gave them. */
  protocols: string | string[] | undefined
}

/** The life-cycle events, by name. */
export interface LifeCycleEvents {
  /** A request came in. */
  'request:start': RequestEvent
  /** A handler matched and is about to be asked. */
  'request:match': RequestEvent & { handler: RequestHandler }
  /** No handler matched. */
  'request:unhandled': RequestEvent
  /** The decision about the request is made. */
  'request:end': RequestEvent
  /** A handler answered. */
  'response:mocked': RequestEvent & { response: Response }
  /** The request was performed as it is, and this came back. */
  'response:bypass': RequestEvent & { response: Response }
  /** A resolver threw something that is no response. */
  unhandledException: RequestEvent & { error: Error }
  /** An app connects, and there are handlers of WebSocket connections. */
  'websocket:connection': WebSocketEvent
  /** A handler of a WebSocket connection threw. */
  'websocket:error': WebSocketEvent & { error: Error }
}

export type LifeCycleEventName = keyof LifeCycleEvents

/** What a listener is called with: the event's name is its `type`. `'*'` stands for any event. */
export type LifeCycleEvent<Name extends LifeCycleEventName | '*'> = {
  [Key in LifeCycleEventName]: LifeCycleEvents[Key] & { readonly type: Key }
}[Name extends LifeCycleEventName ? Name : LifeCycleEventName]

export type LifeCycleListener<Name extends LifeCycleEventName | '*'> = (event: LifeCycleEvent<Name>) => unknown

export interface LifeCycleListenerOptions {
  /** Listen to one event alone. Default: `false`. */
  once?: boolean
  /** Ends the listening. */
  signal?: AbortSignal
}

type AnyListener = (event: never) => unknown

/**
 * Life-cycle events of a network.
 *
 * @example
 * worker.events.on('request:start', ({ request, requestId }) => console.log(requestId, request.url))
 */
export class LifeCycleEmitter {
  readonly #listeners = new Map<LifeCycleEventName | '*', Map<AnyListener, LifeCycleListenerOptions>>()
  readonly #watchers = new Set<() => void>()

  /** Adds a listener, of `'*'` to every event; it is called in the order in which listeners were added. */
  on<Name extends LifeCycleEventName | '*'>(
    name: Name,
    listener: LifeCycleListener<Name>,
    options: LifeCycleListenerOptions = {},
  ): this {
    if (options.signal?.aborted) return this
    let listeners = this.#listeners.get(name)
    if (!listeners) {
      listeners = new Map<AnyListener, LifeCycleListenerOptions>()
      this.#listeners.set(name, listeners)
    }
    listeners.set(listener, options)
    options.signal?.addEventListener('abort', () => this.removeListener(name, listener), { once: true })
    this.#changed()
    return this
  }

  /** Adds a listener for the next such event alone. */
  once<Name extends LifeCycleEventName | '*'>(
    name: Name,
    listener: LifeCycleListener<Name>,
    options: LifeCycleListenerOptions = {},
  ): this {
    return this.on(name, listener, { ...options, once: true })
  }

  removeListener<Name extends LifeCycleEventName | '*'>(name: Name, listener: LifeCycleListener<Name>): this {
    this.#listeners.get(name)?.delete(listener)
    this.#changed()
    return this
  }

  /** Removes the listeners of an event, or all. */
  removeAllListeners(name?: LifeCycleEventName | '*'): this {
    if (name === undefined) this.#listeners.clear()
    else this.#listeners.delete(name)
    this.#changed()
    return this
  }

  /** How many listen to this event by its name. */
  listenerCount(name: LifeCycleEventName | '*'): number {
    return this.#listeners.get(name)?.size ?? 0
  }

  /** Whether somebody listens to any of these events. */
  isHeard(...names: readonly LifeCycleEventName[]): boolean {
    return this.listenerCount('*') > 0 || names.some((name) => this.listenerCount(name) > 0)
  }

  /**
   * Calls the listeners of an event. Each gets a request and a response of its own to read.
   * A listener that throws is reported and harms nobody else.
   */
  emit<Name extends LifeCycleEventName>(name: Name, createData: () => LifeCycleEvents[Name]): void {
    for (const key of [name, '*'] as const) {
      for (const [listener, { once }] of Array.from(this.#listeners.get(key) ?? [])) {
        if (once) this.removeListener(key, listener as LifeCycleListener<typeof key>)
        try {
          const result = callListener(listener, { ...createData(), type: name })
          if (result instanceof Promise) result.catch((error: unknown) => reportListener(name, error))
        } catch (error) {
          reportListener(name, error)
        }
      }
    }
  }

  /** Calls a function whenever listeners come or go. Returns what ends that. */
  onListenersChange(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher()
  }
}

function reportListener(name: string, error: unknown): void {
  print.error(`Failed to tell a listener of "${name}": it threw. See its error:`, error)
}
