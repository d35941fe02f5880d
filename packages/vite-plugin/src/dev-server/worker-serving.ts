import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { readWorkerScript, selfRemovingWorker, serveScript } from '@understudy/engine/internal/dev'
import type { Plugin } from 'vite'

import { pluginName, type Project } from '../project.ts'

/** Serves the worker from memory; where mocking is off, one that removes itself. */
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
      // A build without mocks: what an earlier run left under this address removes itself.
      const isBuilt = (): boolean => existsSync(resolve(config.root, config.build.outDir, options.worker.file))
      const read = (): string | undefined => (isBuilt() ? undefined : selfRemovingWorker)
      middlewares.use(serveScript(project.workerPath, read, project.scope))
    },
  }
}
