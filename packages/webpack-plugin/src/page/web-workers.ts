import { readWebWorkerScript } from '@understudy/engine/internal/dev'

import type { Chunk, Compilation, Compiler } from '../compiler.ts'
import { pluginName } from '../project.ts'

/**
 * Makes web workers evaluate the script that replaces `WebSocket` before all of their modules, because a service worker
 * does not see their WebSockets. The script is a part of the runtime of their chunks, so no module of the app changes.
 */
export function startWebWorkers(compiler: Compiler): void {
  const { RuntimeModule } = compiler.webpack
  let script: string | undefined
  class WebWorkerStart extends RuntimeModule {
    constructor() {
      super('understudy web worker')
    }

    override generate(): string {
      return (script ??= readWebWorkerScript())
    }
  }
  // The compilers of loaders, such as worker-loader, inherit this hook.
  compiler.hooks.compilation.tap(pluginName, (compilation) => {
    compilation.hooks.additionalTreeRuntimeRequirements.tap(pluginName, (chunk) => {
      if (isOfWebWorkers(compilation, compiler) || isOfWebWorker(chunk)) {
        compilation.addRuntimeModule(chunk as never, new WebWorkerStart() as never)
      }
    })
  })
}

/** Returns whether a compiler builds web workers only: its target is `webworker`, or it belongs to a loader for them. */
function isOfWebWorkers({ outputOptions }: Compilation, { platform }: Compiler): boolean {
  return platform.webworker === true || outputOptions.chunkLoading === 'import-scripts'
}

/** Returns whether a chunk with a runtime is that of a `new Worker(…)`: an entry, but none of the page. */
function isOfWebWorker({ groupsIterable }: Chunk): boolean {
  return Array.from(groupsIterable).some((group) => !group.isInitial())
}
