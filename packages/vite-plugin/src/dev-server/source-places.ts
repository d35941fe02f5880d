import { SourceMap, type SourceMapPayload } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { LocatedPlace, SourcePlace } from '@understudy/panel/server'
import type { ViteDevServer } from 'vite'

import type { Project } from '../project.ts'
import { isBundling, locateInBundle } from './bundle-places.ts'

/**
 * Finds the source positions of places in a page's stack, which contains positions in the modules that Vite generated.
 * Works only for modules that pages have loaded.
 */
export async function locate(
  { file, line, column }: SourcePlace,
  { environments }: ViteDevServer,
  { folder, basePath: base }: Project,
): Promise<LocatedPlace | undefined> {
  // Stacks of the dev server's own process contain files and source positions.
  const path = toPath(file)
  if (path !== undefined) {
    const isKnown = Object.values(environments).some(({ moduleGraph }) => moduleGraph.getModulesByFile(path))
    return isKnown ? { path, name: nameOf(path, folder), line, column } : undefined
  }
  if (isBundling(environments.client)) {
    const place = locateInBundle(environments.client, { file, line, column }, base)
    return place && { ...place, name: nameOf(place.path, folder) }
  }
  const url = toModuleUrl(file, base)
  if (url === undefined) return undefined
  const module = await environments.client.moduleGraph.getModuleByUrl(url)
  if (!module?.file) return undefined
  return {
    path: module.file,
    name: nameOf(module.file, folder),
    ...toOriginal(module.transformResult?.map, line, column),
  }
}

/** Converts a page's URL of a module into its URL in Vite's module graph; `undefined` if that is not possible. */
function toModuleUrl(file: string, base: string): string | undefined {
  if (!URL.canParse(file)) return undefined
  const { pathname, search } = new URL(file)
  if (!pathname.startsWith(base)) return undefined
  const query = search.replace(/([?&])t=\d+(?:&|$)/, '$1').replace(/[?&]$/, '')
  try {
    return decodeURI(`/${pathname.slice(base.length)}${query}`)
  } catch {
    // The URL contains a "%" that is not part of an escape.
    return undefined
  }
}

/** Converts a path or a `file:` URL into a path in Vite's form; `undefined` for other texts. */
function toPath(file: string): string | undefined {
  if (!/^(?:file:|\/|[A-Za-z]:[\\/])/.test(file)) return undefined
  try {
    return (file.startsWith('file:') ? fileURLToPath(file) : file).replaceAll('\\', '/')
  } catch {
    return undefined
  }
}

function nameOf(path: string, folder: string): string {
  return relative(folder, path).replaceAll('\\', '/')
}

/** The parsed source maps of modules. A panel asks for all handlers of a module at once, and parsing takes long. */
const parsedMaps = new WeakMap<object, SourceMap>()

function toOriginal(map: unknown, line: number, column: number): { line: number; column: number } {
  if (typeof map !== 'object' || map === null || !(map as Partial<SourceMapPayload>).mappings) return { line, column }
  const parsed = parsedMaps.get(map) ?? new SourceMap(map as SourceMapPayload)
  parsedMaps.set(map, parsed)
  const entry = parsed.findEntry(line - 1, column - 1)
  return 'originalLine' in entry ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 } : { line, column }
}
