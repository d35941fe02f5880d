import { readWorkerScript, selfRemovingWorker, serveScript, socketPath } from '@understudy/engine/internal/dev'
import type { ConnectMiddleware } from '@understudy/panel/server'

import { pluginName, type Project } from '../project.ts'

/** Serves the worker from memory. If mocking is off, serves a worker that removes itself. */
export function createWorkerMiddleware(project: Project): ReturnType<typeof serveScript> {
  // A page may be outside the public path (`/static/`), so allow the worker to control the whole origin.
  const scope = project.options.worker.scope ?? '/'
  const script = project.isOn ? readWorkerScript() : selfRemovingWorker
  return serveScript(project.workerPath, () => script, scope)
}

/**
 * Responds to a web worker that opens a WebSocket if no page does: mocking is off, or there is no service worker. The web
 * worker then uses the network.
 */
export const answerWebWorkers: ConnectMiddleware = (request, response, next) => {
  if (request.url?.split('?')[0] !== socketPath) {
    next()
    return
  }
  response.writeHead(204)
  response.end()
}

/** Adds the worker as a file to the output, which also works with dev servers that the plugin does not support. */
export function emitWorker({ compiler, options }: Project): void {
  const { Compilation, sources } = compiler.webpack
  // The compiler compares a new source with the file on the disk at each rebuild, even if its text is the same.
  let source: object | undefined
  compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
    const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL
    compilation.hooks.processAssets.tap({ name: pluginName, stage }, () => {
      compilation.emitAsset(options.worker.file, (source ??= new sources.RawSource(readWorkerScript())))
    })
  })
}
