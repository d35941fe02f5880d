import { failure } from '@understudy/engine/internal/dev'
import type { Plugin, ResolvedConfig } from 'vite'

import { pluginName, type Project } from './project.ts'

/** Decides whether pages are mocked, and adds the configuration that mocking needs. */
export function configuration(project: Project): Plugin {
  return {
    name: pluginName,
    enforce: 'pre',

    config(_config, { command, isPreview }) {
      project.isEnabled = project.options.enabled ?? (command === 'serve' && !isPreview)
      if (!project.isEnabled) return undefined
      return {
        resolve: { dedupe: ['@understudy/engine'] },
        // If Vite discovers these dependencies late, it reloads the page during its first load.
        optimizeDeps: {
          include: [
            '@understudy/engine',
            '@understudy/engine/internal/page',
            '@understudy/engine/internal/share',
            ...(project.options.expose ? ['@understudy/engine/internal/expose'] : []),
          ],
        },
      }
    },

    configResolved(config) {
      checkVersion(config)
      project.config = config
    },
  }
}

/**
 * @throws {Error} in Vite 5 and earlier, which have no environments. Otherwise, other hooks would fail with errors that
 * do not show the reason
 */
function checkVersion({ environments }: { readonly environments?: ResolvedConfig['environments'] }): void {
  // Vitest 2 gives Vite 5 an entry for `ssr`; `client` is in Vite 6 and later only.
  if (environments?.['client']) return
  throw failure(
    'US0802',
    'set up mocking',
    'this project runs Vite 5 or earlier, and @understudy/vite-plugin needs Vite 6 or later',
    'Update Vite, or remove the plugin and call setupServer() of @understudy/engine/node in tests and setupWorker() of ' +
      '@understudy/engine/browser in the page.',
  )
}
