import type { Handler } from '../core/handlers/request-handler.ts'
import { LifeCycleEmitter } from '../core/network/life-cycle-events.ts'
import { createHandlersControl, Network, type HandlersControl } from '../core/network/network.ts'

/** The handlers of a {@link SetupApi}, for the class that extends it. */
export interface HandlersController {
  currentHandlers(): readonly Handler[]
  use(handlers: readonly Handler[]): void
  reset(handlers: readonly Handler[]): void
  restore(): void
}

/**
 * The base class for packages that intercept requests by other means, such as `@msw/playwright`. It has handlers and
 * life-cycle events.
 *
 * @throws {UnderstudyError} if an argument is not a handler
 * @see MSW's `SetupApi`
 */
export class SetupApi<_Events = unknown> {
  protected readonly handlersController: HandlersController
  protected readonly emitter: LifeCycleEmitter = new LifeCycleEmitter()
  protected readonly publicEmitter: LifeCycleEmitter = this.emitter
  /** The functions that {@link dispose} calls. */
  protected readonly subscriptions: (() => unknown)[] = []
  readonly events: LifeCycleEmitter = this.emitter
  readonly #control: HandlersControl

  constructor(...handlers: readonly Handler[]) {
    const control = createHandlersControl(new Network([]))
    if (handlers.length > 0) control.resetHandlers(...handlers)
    this.#control = control
    this.handlersController = {
      currentHandlers: () => control.listHandlers(),
      use: (added) => control.use(...added),
      reset: (next) => control.resetHandlers(...next),
      restore: () => control.restoreHandlers(),
    }
    this.subscriptions.push(() => this.emitter.removeAllListeners())
  }

  use(...handlers: readonly Handler[]): void {
    this.#control.use(...handlers)
  }

  resetHandlers(...handlers: readonly Handler[]): void {
    this.#control.resetHandlers(...handlers)
  }

  restoreHandlers(): void {
    this.#control.restoreHandlers()
  }

  listHandlers(): readonly Handler[] {
    return this.#control.listHandlers()
  }

  /** Removes all listeners, and calls {@link subscriptions}. */
  dispose(): void {
    for (const end of this.subscriptions.splice(0)) end()
  }
}
