import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { readWorkerScript, selfRemovingWorker, serveScript } from '@understudy/engine/internal/dev'
import type { Plugin } from 'vite'

import { pluginName, type Project } from '../project.ts'

/** Serves the worker from memory. If mocking is off, serves a worker that removes itself. */
export function workerServing(project: Project): Plugin {
  return {
    name: `${pluginName}:worker-serving`,
    enforce: 'pre',

    configureServer({ middlewares }) {
      const read = (): string => (project.isOn ? readWorkerScript() : selfRemovingWorker)
      middlewares.use(serveScript(project.workerPath, read, project.scope))
    },

    configurePreviewServer({ middlewares }) {
      const { config, options } = project
      // In the preview of a build without mocks, the worker of an earlier run removes itself.
      const isBuilt = (): boolean => existsSync(resolve(config.root, config.build.outDir, options.worker.file))
      const read = (): string | undefined => (isBuilt() ? undefined : selfRemovingWorker)
      middlewares.use(serveScript(project.workerPath, read, project.scope))
    },
  }
}
