import type { LifeCycleEventName, LifeCycleListener, LifeCycleListenerOptions } from '@understudy/engine'
import type { Server } from '@understudy/engine/node'
import type { ScenarioControl } from '@understudy/engine/scenarios'

import type { SeenRequest } from './seen-request.ts'

/**
 * What tests have of the mocked network, in Node and in browsers alike: `server` of `setupServer`, without what the
 * plugin does for them.
 */
export interface TestServer extends Omit<Server, 'listen' | 'close' | 'events'>, ScenarioControl {
  /**
   * Life-cycle events. A listener that a test adds is removed after it, and hears nothing of tests that run
   * concurrently.
   */
  readonly events: TestEvents
  /** The requests of the test that runs, in the order in which they were decided. Those for assets are left out. */
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

/** Modules may be evaluated more than once (`vi.resetModules()`): what runs is kept where all of them find it. */
const key = Symbol.for('understudy.vitest')
const world = globalThis as { [key]?: TestServer | undefined }

/** What runs in this world of tests: each test file starts its own. */
export function getRunningServer(): TestServer | undefined {
  return world[key]
}

export function setRunningServer(server: TestServer | undefined): void {
  world[key] = server
}
