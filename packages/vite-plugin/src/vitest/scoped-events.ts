import type {
  LifeCycleEvent,
  LifeCycleEventName,
  LifeCycleListener,
  LifeCycleListenerOptions,
} from '@understudy/engine'

import type { TestScope } from './test-scope.ts'
import type { TestEvents } from './test-server.ts'

type Name = LifeCycleEventName | '*'
type AnyListener = (...args: unknown[]) => unknown

/** Life-cycle events whose listeners belong to the test that adds them. */
export class ScopedEvents implements TestEvents {
  readonly #events: TestEvents
  readonly #currentScope: () => TestScope | undefined
  /** For each listener, the functions that remove its replacement. */
  readonly #removals = new WeakMap<object, Map<Name, () => void>>()

  constructor(events: TestEvents, currentScope: () => TestScope | undefined) {
    this.#events = events
    this.#currentScope = currentScope
  }

  on<Key extends Name>(name: Key, listener: LifeCycleListener<Key>, options: LifeCycleListenerOptions = {}): this {
    const scope = this.#currentScope()
    if (scope) this.#addWithin(scope, name, listener, options)
    else this.#events.on(name, listener, options)
    return this
  }

  once<Key extends Name>(name: Key, listener: LifeCycleListener<Key>, options: LifeCycleListenerOptions = {}): this {
    return this.on(name, listener, { ...options, once: true })
  }

  removeListener<Key extends Name>(name: Key, listener: LifeCycleListener<Key>): this {
    this.#removals.get(listener)?.get(name)?.()
    this.#events.removeListener(name, listener)
    return this
  }

  removeAllListeners(name?: Name): this {
    this.#events.removeAllListeners(name)
    return this
  }

  #addWithin<Key extends Name>(
    scope: TestScope,
    name: Key,
    listener: LifeCycleListener<Key>,
    { once = false, signal = scope.signal }: LifeCycleListenerOptions,
  ): void {
    const removal = new AbortController()
    const remove = (): void => removal.abort()
    const standIn: LifeCycleListener<Key> = (...args: [LifeCycleEvent<Key>]) => {
      const current = this.#currentScope()
      if (current && current !== scope) return undefined
      if (once) remove()
      return (listener as AnyListener)(...args)
    }
    // Keep the number of parameters: the emitter uses it to choose the arguments of a listener.
    Object.defineProperty(standIn, 'length', { value: listener.length })
    const removals = this.#removals.get(listener) ?? new Map<Name, () => void>()
    this.#removals.set(listener, removals.set(name, remove))
    this.#events.on(name, standIn, { signal: AbortSignal.any([scope.signal, signal, removal.signal]) })
  }
}
