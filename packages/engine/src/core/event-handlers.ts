/**
 * The `on…` attributes of an event target: one handler for each type of event. A handler keeps the position among the
 * listeners at which the first one was set.
 *
 * @see https://html.spec.whatwg.org/multipage/webappapis.html#event-handler-attributes
 */
export class EventHandlers {
  readonly #target: EventTarget
  readonly #handlers = new Map<string, unknown>()

  constructor(target: EventTarget) {
    this.#target = target
  }

  get(type: string): unknown {
    return this.#handlers.get(type) ?? null
  }

  /** @param handler a value that is not a function removes the handler */
  set(type: string, handler: unknown): void {
    if (!this.#handlers.has(type)) {
      this.#target.addEventListener(type, (event) => {
        const current = this.#handlers.get(type)
        if (typeof current === 'function') Reflect.apply(current, this.#target, [event])
      })
    }
    this.#handlers.set(type, typeof handler === 'function' ? handler : null)
  }
}
