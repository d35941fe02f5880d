import { dirname } from 'node:path'

import { addWrittenPlaces, importsEngine } from '@understudy/engine/internal/dev'
import type { Plugin } from 'vite'

import { pluginName, type Project } from '../project.ts'

/** Lets the console name the lines of the sources. */
export function writtenPlaces(project: Project): Plugin {
  return {
    name: `${pluginName}:written-places`,
    apply: 'serve',
    enforce: 'post',

    transform: {
      order: 'post',
      handler(code, id) {
        if (!project.mocksPages || this.environment.name !== 'client' || project.isBundledDev) return undefined
        if (!mayDeclareHandlers(project, code, id)) return undefined
        const changed = addWrittenPlaces(code, this.getCombinedSourcemap())
        return changed === undefined ? undefined : { code: changed, map: null }
      },
    },
  }
}

/** Returns whether a module imports the engine, or is in the folder of the handlers file. */
function mayDeclareHandlers(project: Project, code: string, id: string): boolean {
  if (id.startsWith('\0') || /\/node_modules\/|[?&](?:raw|url|type=classic)\b/.test(id)) return false
  if (importsEngine(code)) return true
  // A classic script has no `import.meta`.
  if (!/^\s*(?:import|export)\b/m.test(code)) return false
  try {
    return id.startsWith(`${dirname(project.findHandlers().path).replaceAll('\\', '/')}/`)
  } catch {
    // There is no handlers file, or the path in the options is wrong.
    return false
  }
}
