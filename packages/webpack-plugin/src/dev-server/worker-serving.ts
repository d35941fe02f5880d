import { readWorkerScript, selfRemovingWorker, serveScript } from '@understudy/engine/internal/dev'

import { pluginName, type Project } from '../project.ts'

/** Answers for the worker from memory; where mocking is off, by one that removes itself. */
export function createWorkerMiddleware(project: Project): ReturnType<typeof serveScript> {
  // A page may lie outside the public path (`/static/`): the worker may control the whole origin.
  const scope = project.options.worker.scope ?? '/'
  const script = project.isOn ? readWorkerScript() : selfRemovingWorker
  return serveScript(project.workerPath, () => script, scope)
}

/** What is built has the worker as a file, which also serves dev servers that the plugin does not know of. */
export function emitWorker({ compiler, options }: Project): void {
  const { Compilation, sources } = compiler.webpack
  compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
    const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL
    compilation.hooks.processAssets.tap({ name: pluginName, stage }, () => {
      compilation.emitAsset(options.worker.file, new sources.RawSource(readWorkerScript()))
    })
  })
}
