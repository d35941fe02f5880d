import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

import { pluginName, type Project } from './project.ts'
import { isOurs } from './virtual-modules.ts'

/** The package that modules of the plugin import. */
export const engine = '@understudy/engine'

/**
 * Resolves the engine for the plugin's own modules if the project does not depend on it: in a monorepo, only the package with the
 * handlers may. Package managers with strict `node_modules` put it next to the plugin then, where Vite does not look for it, because
 * virtual modules are in no folder.
 */
export function engineOfPlugin(project: Project): Plugin {
  return {
    name: `${pluginName}:engine-of-plugin`,
    enforce: 'pre',

    resolveId: {
      filter: { id: /^@understudy\/engine(?:$|\/)/ },
      async handler(id, importer, options) {
        if (!project.isEnabled || !(id === engine || id.startsWith(`${engine}/`))) return undefined
        if (!isOurs(importer)) return undefined
        const own = { ...options, skipSelf: true }
        return (await this.resolve(id, importer, own)) ?? this.resolve(id, fileURLToPath(import.meta.url), own)
      },
    },
  }
}
