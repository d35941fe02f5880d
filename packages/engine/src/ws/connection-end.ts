/** A listener of a connection. If it throws, the connection reports the error. */
export type ConnectionListener<Event> =
  | ((this: WebSocket, event: Event) => unknown)
  | { handleEvent(event: Event): unknown }

type AnyListener = ConnectionListener<never>

/** Reports the error that a listener threw. */
type ReportError = (error: unknown) => void

/**
 * One end of a mocked connection for handlers, with listeners by type of event. Several handlers may listen to one
 * connection. After `stopPropagation()`, the listeners of later handlers do not get the event; after
 * `stopImmediatePropagation()`, no later listener gets it.
 */
export abstract class ConnectionEnd<Events extends Record<keyof Events, Event>> {
  readonly #events = new EventTarget()
  readonly #wrappers = new WeakMap<object, EventListener>()
  #report: ReportError = () => {}

  /** The socket that is `this` in listeners, and the target of events. */
  protected abstract readonly '~socket': WebSocket | undefined

  /**
   * Adds a listener. If it throws, the error is printed, and the connection closes with the code 1011, as a failing
   * server does.
   */
  addEventListener<Type extends keyof Events & string>(
    type: Type,
    listener: ConnectionListener<Events[Type]>,
    options?: AddEventListenerOptions | boolean,
  ): void {
    this.#events.addEventListener(type, this.#wrap(listener), options)
  }

  removeEventListener<Type extends keyof Events & string>(
    type: Type,
    listener: ConnectionListener<Events[Type]>,
    options?: EventListenerOptions | boolean,
  ): void {
    const wrapper = this.#wrappers.get(listener)
    if (wrapper) this.#events.removeEventListener(type, wrapper, options)
  }

  /** Starts the listeners of the next handler. */
  '~beginHandler'(types: readonly (keyof Events & string)[], report: ReportError): void {
    this.#report = report
    for (const type of types) {
      this.#events.addEventListener(type, (event) => {
        // The platform sets `cancelBubble` when `stopPropagation()` is called.
        if (Reflect.get(event, 'cancelBubble') === true) event.stopImmediatePropagation()
      })
    }
  }

  /** Returns whether no listener called `preventDefault()`. */
  '~dispatch'(event: Events[keyof Events]): boolean {
    const socket = this['~socket']
    const target = { value: socket, configurable: true }
    Object.defineProperties(event, { target, currentTarget: target })
    return this.#events.dispatchEvent(event)
  }

  #wrap(listener: AnyListener): EventListener {
    const known = this.#wrappers.get(listener)
    if (known) return known
    const report = this.#report
    const wrapper = (event: Event): void => {
      try {
        const result: unknown =
          typeof listener === 'function'
            ? Reflect.apply(listener, this['~socket'], [event])
            : listener.handleEvent(event as never)
        // A promise of another realm (jsdom, `node:vm`) is not an instance of this realm's class.
        if (result) Promise.resolve(result).catch(report)
      } catch (error) {
        report(error)
      }
    }
    this.#wrappers.set(listener, wrapper)
    return wrapper
  }
}
