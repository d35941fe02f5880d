import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname } from 'node:path'

import type { Plugin, Rollup } from 'vite'

import { pluginName, type Project } from '../project.ts'

/** A call that makes a handler: what it is called on, and its last name. Engines name one of both in stacks. */
const handlerCalls =
  /([\w$]+\s*\.\s*)?\b(?:get|post|put|patch|delete|head|options|all|query|mutation|subscription|operation|schema|link|sse)\s*\(/g

/**
 * Tells pages where the developer wrote the handlers of a module: stacks name the places in the module that Vite made, and
 * consoles do not apply source maps to printed text. The table is added at the module's end, so that its lines stay.
 */
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
        const places = listPlaces(code, this.getCombinedSourcemap())
        if (Object.keys(places).length === 0) return undefined
        const table = `(globalThis.__understudyPlaces ??= {})[import.meta.url] = ${JSON.stringify(places)}`
        return { code: `${code}\n;${table}\n`, map: null }
      },
    },
  }
}

/** Whether a module imports the engine, or is in the folder of the handlers file. */
function mayDeclareHandlers(project: Project, code: string, id: string): boolean {
  if (id.startsWith('\0') || /\/node_modules\/|[?&](?:raw|url|type=classic)\b/.test(id)) return false
  // A classic script has no `import.meta`.
  if (!/^\s*(?:import|export)\b/m.test(code)) return false
  if (/["'](?:@understudy\/(?:engine|msw)|msw)["'/]/.test(code)) return true
  try {
    return id.startsWith(`${dirname(project.findHandlers().path).replaceAll('\\', '/')}/`)
  } catch {
    // There is no handlers file, or it has another place than the options say.
    return false
  }
}

/** Places in the source by places in the module: `{ '7:7': '15:8' }`. */
function listPlaces(code: string, map: Rollup.SourceMap): Record<string, string> {
  const places: Record<string, string> = {}
  const source = new SourceMap(map as unknown as SourceMapPayload)
  for (const [index, text] of code.split('\n').entries()) {
    for (const { index: start, 1: called = '' } of text.matchAll(handlerCalls)) {
      const column = start + called.length
      const entry = source.findEntry(index, column)
      if (!('originalLine' in entry)) continue
      for (const each of [start, column]) {
        places[`${index + 1}:${each + 1}`] = `${entry.originalLine + 1}:${entry.originalColumn + 1}`
      }
    }
  }
  return places
}
