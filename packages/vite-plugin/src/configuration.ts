import type { Plugin, ResolvedConfig } from 'vite'

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
      checkVersion(config)
      project.config = config
    },
  }
}

/** @throws in Vite 5 and earlier, which have no environments: the other hooks would fail with errors that do not say why */
function checkVersion({ environments }: { readonly environments?: ResolvedConfig['environments'] }): void {
  if (environments) return
  const message =
    'Failed to set up mocking: this project runs Vite 5 or earlier, and @understudy/vite-plugin needs Vite 6 or later. Update ' +
    'Vite, or remove the plugin and call setupServer() of @understudy/engine/node in tests and setupWorker() of ' +
    '@understudy/engine/browser in the page.'
  throw Object.assign(new Error(message), { name: 'UnderstudyError' })
}
