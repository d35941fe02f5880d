import { toFailure } from './failure.ts'
import type { VitestHooks } from './test-run.ts'

type Strategy = 'bypass' | 'warn' | 'error'

/** What the set-up module is told by the plugin. */
export interface SetUpOptions {
  vitest: VitestHooks
  /** How the handlers module is named to people. */
  file: string
  /** Imports the handlers module. */
  load: () => Promise<HandlersModule>
  /** The plugin's option of this name. */
  onUnhandledRequest: Strategy
  /** The same, only for tests. If it exists, it takes precedence over the exports of the handlers module. */
  inTests: Strategy | undefined
}

type HandlersModule = object & { onUnhandledRequest?: unknown }

export interface LoadedHandlers {
  module: HandlersModule
  /** What to do with unhandled requests; nothing: the module's own function decides. */
  strategy: Strategy | undefined
}

/** @throws if the module does not compile or throws: no test runs then, and no request reaches the network */
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

/** The rest, with file and line, Vitest shows of the cause. */
function describe(cause: unknown): string {
  const [line = ''] = (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).split('\n')
  return line.replace(/[:.]\s*$/, '')
}
