import { readWorkerScript, selfRemovingWorker, serveScript } from '@understudy/engine/dev'

import { listDevServers, type DevServerOptions } from './dev-servers.ts'
import { pluginName, type Project } from './project.ts'

/**
 * Serves the worker from memory; where mocking is off, one that removes itself. What is built has it as a file, which
 * also serves dev servers that the plugin does not know of.
 */
export function serveWorker(project: Project): void {
  const { compiler, options } = project
  // A page may lie outside the public path (`/static/`): the worker may control the whole origin.
  const scope = options.worker.scope ?? '/'
  const script = project.isOn ? readWorkerScript() : selfRemovingWorker
  for (const server of listDevServers(compiler.options)) {
    addMiddleware(
      server,
      serveScript(project.workerPath, () => script, scope),
    )
  }

  if (!project.isOn || !project.hasPages) return
  const { Compilation, sources } = compiler.webpack
  compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
    const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL
    compilation.hooks.processAssets.tap({ name: pluginName, stage }, () => {
      compilation.emitAsset(options.worker.file, new sources.RawSource(script))
    })
  })
}

function addMiddleware(server: DevServerOptions, middleware: unknown): void {
  const { setupMiddlewares } = server
  server.setupMiddlewares = (middlewares, devServer) => [
    { name: pluginName, middleware },
    ...(setupMiddlewares ? setupMiddlewares(middlewares, devServer) : middlewares),
  ]
}
