import { pickHandlers } from '../core/handlers/pick-handlers.ts'
import { loadScenarioSwitch } from '../core/scenarios/load-scenario-switch.ts'
import type { UnhandledRequestCallback, UnhandledRequestStrategy } from '../core/unhandled/unhandled-request.ts'
import { setupServer, type Server } from './setup-server.ts'

/** What a plugin tells the process. */
export interface ServerMockingOptions {
  /** How the handlers module is named to people. */
  file: string
  /** What a function of this name that the handlers module exports is preferred to. */
  onUnhandledRequest: UnhandledRequestStrategy
}

/** Mocking in Node as a build tool's plugin runs it: by modules of handlers. */
export interface ServerMocking {
  readonly server: Server
  /**
   * Takes the handlers of a module in place of those before, all at once. The first time, it starts to intercept.
   * Runtime handlers stay.
   *
   * @throws where the module exports nothing usable; then nothing is changed
   */
  take(module: object): Promise<void>
}

/**
 * What a plugin runs where there is no page: in tests, and while a server renders.
 *
 * @example
 * const mocking = createServerMocking({ file: 'src/mocks/handlers.ts', onUnhandledRequest: 'warn' })
 * await mocking.take(await import('./src/mocks/handlers.ts'))
 */
export function createServerMocking({ file, onUnhandledRequest }: ServerMockingOptions): ServerMocking {
  const server = setupServer()
  return {
    server,
    async take(module) {
      const handlers = await pickHandlers(module, file)
      const { onUnhandledRequest: callback, scenarios } = module as {
        onUnhandledRequest?: unknown
        scenarios?: unknown
      }
      const { '~network': network } = server
      if (scenarios !== undefined) await loadScenarioSwitch(network)
      network.scenarios?.take('module', scenarios, file)
      network.layers.replaceInitial(handlers)
      server.listen({
        onUnhandledRequest:
          typeof callback === 'function' ? (callback as UnhandledRequestCallback) : onUnhandledRequest,
      })
    },
  }
}
