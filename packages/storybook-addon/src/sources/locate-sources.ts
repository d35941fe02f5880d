import type { LocatedSource, SourcePlace } from '@understudy/panel'

import { findCall } from '../find-call.ts'
import { findSameLine } from './find-same-line.ts'
import { findOriginal, readSourceMap, type SourceMap } from './source-map.ts'

/**
 * Finds the source positions of places in a preview's stacks, which contain positions in the modules that the builder
 * generated. The builders' development servers serve source maps, inside the module or beside it.
 *
 * @returns `null` for a place without a source map, as in a build
 */
export async function locateSources(
  places: readonly SourcePlace[],
  read: ReadText = readText,
): Promise<readonly (LocatedSource | null)[]> {
  const files = new Map([...new Set(places.map(({ file }) => file))].map((file) => [file, readFile(file, read)]))
  return Promise.all(places.map(async (place) => locate(place, await files.get(place.file))))
}

/** Reads the text of a URL. */
type ReadText = (url: string) => Promise<string>

/** Finds the text of the source of a place, and the position in it; `undefined` without a source map that contains it. */
export async function readSource(place: SourcePlace): Promise<FoundSource | undefined> {
  const generated = await readFile(place.file, readText)
  return generated && findSource(place, generated)
}

/** A file that a page loaded, with its source map. */
interface GeneratedFile {
  readonly text: string
  readonly map: SourceMap
}

/** A position in a source file. */
export interface FoundSource {
  /** The name of the source in the map. */
  readonly source: string
  /** The text of the source; empty if the map does not contain it. */
  readonly text: string
  /** Whether the text at the position is that of the generated file. The source map may be wrong. */
  readonly isExact: boolean
  readonly line: number
  readonly column: number
}

function locate(place: SourcePlace, generated: GeneratedFile | undefined): LocatedSource | null {
  const found = generated && findSource(place, generated)
  if (!found) return null
  const path = toPath((generated.map.sourceRoot ?? '') + found.source, place.file)
  return { file: path, name: path, path, line: found.line, column: found.column }
}

function findSource({ line, column }: SourcePlace, { text, map }: GeneratedFile): FoundSource | undefined {
  const near = findOriginal(map, line, column)
  // A module has one source, even if its map does not contain every line.
  const source = near?.source ?? (map.sources.length === 1 ? map.sources[0] : undefined)
  if (typeof source !== 'string') return undefined
  const content = map.sourcesContent?.[map.sources.indexOf(source)] ?? ''
  const exact = findCall(text, content, line, column) ?? findSameLine(text, content, { line, column }, near)
  const found = exact ?? near
  return found && { source, text: content, isExact: exact !== undefined, line: found.line, column: found.column }
}

/** Returns a path relative to the project of the builder's server; an absolute path outside the project. */
function toPath(source: string, file: string): string {
  // `webpack://name/./src/mocks/handlers.ts`. The name is that of the app's package.
  const ofWebpack = /^webpack:\/\/(?:@[^/]*\/)?[^/]*\/(?:\.\/)?(.*?)(?:\?.*)?$/.exec(source)?.[1]
  if (ofWebpack !== undefined) return ofWebpack
  const path = decodeURI(new URL(source, file).pathname)
  return path.startsWith('/@fs/') ? path.slice('/@fs'.length) : path.slice(1)
}

async function readFile(file: string, read: ReadText): Promise<GeneratedFile | undefined> {
  try {
    const text = await read(file)
    const url = text
      .match(/^\/\/[#@] ?sourceMappingURL=\S+/gm)
      ?.at(-1)
      ?.replace(/^.*?=/, '')
    if (url === undefined) return undefined
    return { text, map: readSourceMap(await read(new URL(url, file).href)) }
  } catch {
    // The file is missing or has another origin. Its places stay unchanged.
    return undefined
  }
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${response.status} ${url}`)
  return response.text()
}
