import { pickHandlers } from '../core/handlers/pick-handlers.ts'
import { loadScenarioSwitch } from '../core/scenarios/load-scenario-switch.ts'
import type { UnhandledRequestOption, UnhandledRequestStrategy } from '../core/unhandled/unhandled-request.ts'
import { setupServer, type Server } from './setup-server.ts'

/** The options that a plugin passes to the process. */
export interface ServerMockingOptions {
  /** The handlers module's name in messages. */
  file: string
  /** The strategy for unhandled requests. A function of this name that the handlers module exports has precedence. */
  onUnhandledRequest: UnhandledRequestStrategy
}

/** Mocking in Node for a build tool's plugin. Handlers modules can be replaced. */
export interface ServerMocking {
  readonly server: Server
  /**
   * Replaces the handlers with those of a module, all at once. The first call starts to intercept. Runtime handlers
   * stay.
   *
   * @throws {UnderstudyError} if the exports of the module are not valid; then nothing is changed
   */
  take(module: object): Promise<void>
}

/**
 * Creates the mocking for processes without a page: tests, and servers that render.
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
      const { onUnhandledRequest: exported, scenarios } = module as {
        onUnhandledRequest?: UnhandledRequestOption
        scenarios?: unknown
      }
      const { '~network': network } = server
      if (scenarios !== undefined) await loadScenarioSwitch(network)
      network.scenarios?.take('module', scenarios, file)
      network.states = new Map([['module', (module as { state?: unknown }).state]])
      network.layers.replaceInitial(handlers)
      server.listen({ onUnhandledRequest: exported ?? onUnhandledRequest })
    },
  }
}
