import type { Plugin } from 'vite'

import { pluginName, type Project } from './project.ts'

/** Decides whether pages are mocked, and tells Vite what mocking needs of it. */
export function configuration(project: Project): Plugin {
  return {
    name: pluginName,
    enforce: 'pre',

    config(_config, { command, isPreview }) {
      project.isOn = project.options.enabled ?? (command === 'serve' && !isPreview)
      if (!project.isOn) return undefined
      return {
        resolve: { dedupe: ['@understudy/engine'] },
        // Found late, they would reload the page while it loads for the first time.
        optimizeDeps: { include: ['@understudy/engine', '@understudy/engine/bootstrap', '@understudy/engine/inspect'] },
      }
    },

    configResolved(config) {
      project.config = config
    },
  }
}
