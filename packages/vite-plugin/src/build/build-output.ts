import { readWorkerScript } from '@understudy/engine/internal/dev'
import type { Plugin } from 'vite'

import { pluginName, type Project } from '../project.ts'

/** Adds the worker's file to a build with mocks. Fails the build if options or handlers are invalid. */
export function buildOutput(project: Project): Plugin {
  return {
    name: `${pluginName}:build-output`,
    enforce: 'pre',
    apply: 'build',

    buildStart() {
      if (project.optionsError) this.error(project.optionsError.message)
      // A build for a server has no pages.
      const { consumer, build } = this.environment.config
      if (!project.isOn || consumer !== 'client') return
      // Nor has a library, unless the option names an entry of another server's pages.
      if (build.lib && !project.options.entry) return
      try {
        project.findHandlers()
      } catch (error) {
        this.error((error as Error).message)
      }
      project.workerAsset = this.emitFile({
        type: 'asset',
        fileName: project.options.worker.file,
        source: readWorkerScript(),
      })
    },
  }
}
