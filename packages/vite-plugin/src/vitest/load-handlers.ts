import { toFailure } from './failure.ts'
import type { VitestHooks } from './test-run.ts'

type Strategy = 'bypass' | 'warn' | 'error'

/** The options that the plugin passes to the set-up module. */
export interface SetUpOptions {
  vitest: VitestHooks
  /** The handlers module's name in messages. */
  file: string
  /** Imports the handlers module. */
  load: () => Promise<HandlersModule>
  /** The plugin's option of this name. */
  onUnhandledRequest: Strategy
  /** The plugin's option for tests. It has precedence over the export of the handlers module. */
  inTests: Strategy | undefined
}

type HandlersModule = object & { onUnhandledRequest?: unknown }

export interface LoadedHandlers {
  module: HandlersModule
  /** The strategy for unhandled requests. `undefined`: the function of the handlers module decides. */
  strategy: Strategy | undefined
}

/** @throws {Error} if the module does not compile or throws. Then no test runs, and no request reaches the network */
export async function loadHandlers({ file, load, onUnhandledRequest, inTests }: SetUpOptions): Promise<LoadedHandlers> {
  const module = await load().catch((cause: unknown) => {
    throw toFailure('US0823', `load the handlers of ${file}: ${describe(cause)}. No test runs until this is fixed.`, {
      cause,
    })
  })
  if (inTests) {
    const { onUnhandledRequest: _replaced, ...others } = module
    return { module: others, strategy: inTests }
  }
  return { module, strategy: typeof module.onUnhandledRequest === 'function' ? undefined : onUnhandledRequest }
}

/** Describes an error briefly, because Vitest shows file and line of the cause. */
function describe(cause: unknown): string {
  const [line = ''] = (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).split('\n')
  return line.replace(/[:.]\s*$/, '')
}
