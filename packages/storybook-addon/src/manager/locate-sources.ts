import type { LocatedSource, SourcePlace } from '@understudy/panel'

import { findCall } from '../find-call.ts'
import { findOriginal, readSourceMap, type SourceMap } from './source-map.ts'

/**
 * Where the project's files hold what a preview's stack names: the page knows modules as the builder made them. The
 * builders' development servers serve their source maps, in the module or beside it.
 *
 * @returns `null` for what has no map, as in a build
 */
export async function locateSources(places: readonly SourcePlace[]): Promise<readonly (LocatedSource | null)[]> {
  const files = new Map([...new Set(places.map(({ file }) => file))].map((file) => [file, readFile(file)]))
  return Promise.all(places.map(async (place) => locate(place, await files.get(place.file))))
}

/** A file that a page loaded, and where it comes from. */
interface GeneratedFile {
  readonly text: string
  readonly map: SourceMap
}

function locate({ file, line, column }: SourcePlace, generated: GeneratedFile | undefined): LocatedSource | null {
  if (!generated) return null
  const { text, map } = generated
  const near = findOriginal(map, line, column)
  // A module has one source, which the map may not name for every line.
  const source = near?.source ?? (map.sources.length === 1 ? map.sources[0] : undefined)
  if (typeof source !== 'string') return null
  const found = findCall(text, map.sourcesContent?.[map.sources.indexOf(source)] ?? '', line, column) ?? near
  if (!found) return null
  const path = toPath((map.sourceRoot ?? '') + source, file)
  return { file: path, name: path, path, line: found.line, column: found.column }
}

/** Relative to the project, where the builder's server runs; absolute, where it lies elsewhere. */
function toPath(source: string, file: string): string {
  // `webpack://name/./src/mocks/handlers.ts`, after the name of the app's package.
  const ofWebpack = /^webpack:\/\/(?:@[^/]*\/)?[^/]*\/(?:\.\/)?(.*?)(?:\?.*)?$/.exec(source)?.[1]
  if (ofWebpack !== undefined) return ofWebpack
  const path = decodeURI(new URL(source, file).pathname)
  return path.startsWith('/@fs/') ? path.slice('/@fs'.length) : path.slice(1)
}

async function readFile(file: string): Promise<GeneratedFile | undefined> {
  try {
    const text = await read(file)
    const url = text
      .match(/^\/\/[#@] ?sourceMappingURL=\S+/gm)
      ?.at(-1)
      ?.replace(/^.*?=/, '')
    if (url === undefined) return undefined
    return { text, map: readSourceMap(await read(new URL(url, file).href)) }
  } catch {
    // It is gone, or of another origin: places stay as the page names them.
    return undefined
  }
}

async function read(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status} ${url}`)
  return response.text()
}
