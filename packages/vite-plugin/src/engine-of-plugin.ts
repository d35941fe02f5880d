import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'vite'

import { pluginName, type Project } from './project.ts'
import { isOurs } from './virtual-modules.ts'

/** The package that modules of the plugin import. */
export const engine = '@understudy/engine'

/** Returns whether Vite finds a package from the root of the project. */
export function isInstalled(name: string, root = '.'): boolean {
  const folder = resolve(root)
  // Do not use `require.resolve()` without Plug'n'Play: pnpm sets NODE_PATH for commands, so that Node finds packages that Vite does not.
  if (process.versions['pnp']) return canRequire(`${name}/package.json`, folder)
  const parent = dirname(folder)
  return existsSync(join(folder, 'node_modules', name)) || (parent !== folder && isInstalled(name, parent))
}

function canRequire(path: string, folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve(path)
    return true
  } catch {
    return false
  }
}

/**
 * Resolves the engine for the plugin's own modules if the project does not depend on it: in a monorepo, only the package with the
 * handlers may. Package managers with strict `node_modules` put it next to the plugin then, where Vite does not look for it, because
 * virtual modules are in no folder.
 */
export function engineOfPlugin(project: Project): Plugin {
  return {
    name: `${pluginName}:engine-of-plugin`,
    enforce: 'pre',

    async resolveId(id, importer, options) {
      if (!project.isEnabled || !(id === engine || id.startsWith(`${engine}/`))) return undefined
      if (!isOurs(importer)) return undefined
      const own = { ...options, skipSelf: true }
      return (await this.resolve(id, importer, own)) ?? this.resolve(id, fileURLToPath(import.meta.url), own)
    },
  }
}
