import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/**
 * Returns whether Vite finds a package from the root of a project. In a monorepo with strict `node_modules`, an app may use handlers of
 * another package, so that only this package and the plugin depend on the engine.
 */
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
