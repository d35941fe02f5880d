import type { LifeCycleEventName, LifeCycleListener, LifeCycleListenerOptions } from '@understudy/engine'
import type { Server } from '@understudy/engine/node'
import type { ScenarioControl } from '@understudy/engine/scenarios'

import type { SeenRequest } from './seen-request.ts'

/**
 * The mocked network for tests, in Node and in browsers: `server` of `setupServer`, without the methods that the plugin
 * calls.
 */
export interface TestServer extends Omit<Server, 'listen' | 'close' | 'readyState' | 'events'>, ScenarioControl {
  /**
   * Life-cycle events. A listener that a test adds is removed after the test, and gets no events of concurrent tests.
   */
  readonly events: TestEvents
  /** Returns the requests of the current test, in the order in which they were decided, without requests for assets. */
  requests(): readonly SeenRequest[]
}

/** The part of the engine's emitter that tests need. */
export interface TestEvents {
  on<Name extends EventName>(name: Name, listener: LifeCycleListener<Name>, options?: LifeCycleListenerOptions): this
  once<Name extends EventName>(name: Name, listener: LifeCycleListener<Name>, options?: LifeCycleListenerOptions): this
  removeListener<Name extends EventName>(name: Name, listener: LifeCycleListener<Name>): this
  removeAllListeners(name?: EventName): this
}

type EventName = LifeCycleEventName | '*'

/**
 * The key of the running server on the global object, because modules may be evaluated more than once
 * (`vi.resetModules()`).
 */
const key = Symbol.for('understudy.vitest')
const world = globalThis as { [key]?: TestServer | undefined }

/** Returns the running server. Each test file starts its own. */
export function getRunningServer(): TestServer | undefined {
  return world[key]
}

export function setRunningServer(server: TestServer | undefined): void {
  world[key] = server
}
