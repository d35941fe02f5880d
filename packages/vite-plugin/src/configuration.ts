import { failure, isInstalled } from '@understudy/engine/internal/dev'
import type { Plugin, ResolvedConfig } from 'vite'

import { engine } from './engine-of-plugin.ts'
import { pluginName, type Project } from './project.ts'

/** Decides whether pages are mocked, and adds the configuration that mocking needs. */
export function configuration(project: Project): Plugin {
  return {
    name: pluginName,
    enforce: 'pre',

    config({ root }, { command, isPreview }) {
      project.isEnabled = project.options.enabled ?? (command === 'serve' && !isPreview)
      if (!project.isEnabled) return undefined
      const isDirect = isInstalled(engine, root)
      // Vite does not find them from the root if neither the engine nor the plugin is installed there.
      const needed = isDirect || isInstalled(pluginName, root) ? listEntries(project) : []
      return {
        // Vite would look for the engine only in the root.
        ...(isDirect && { resolve: { dedupe: [engine] } }),
        // If Vite discovers these dependencies late, it reloads the page during its first load.
        optimizeDeps: { include: isDirect ? needed : needed.map((entry) => `${pluginName} > ${entry}`) },
      }
    },

    configResolved(config) {
      checkVersion(config)
      project.config = config
    },
  }
}

/** Lists the entries of the engine that pages import. */
function listEntries({ options }: Project): string[] {
  const entries = [engine, `${engine}/internal/page`, `${engine}/internal/share`]
  return options.expose ? [...entries, `${engine}/internal/expose`] : entries
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
