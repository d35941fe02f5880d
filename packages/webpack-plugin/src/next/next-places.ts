import { readdir, readFile, stat } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { LocatedPlace, SourcePlace } from '@understudy/panel/server'

interface Places {
  readonly root: string
  readonly distDir: string
  readonly basePath: string
  /** The files of the handlers. Places in other files are not shown. */
  readonly files: readonly string[]
}

/**
 * Finds the source position of a place in a stack. In the server, the place is in a file. In a page, it is in a file of
 * Next's output.
 */
export async function locateInNext(place: SourcePlace, places: Places): Promise<LocatedPlace | undefined> {
  const { root, files } = places
  const isModule = place.file.startsWith('webpack-internal:')
  const found = place.file.startsWith('file:')
    ? toFile(place)
    : await (isModule ? locateInModule(place, places) : locateInOutput(place, places))
  if (!found || !files.includes(found.path)) return undefined
  return { ...found, name: relative(root, found.path).replaceAll('\\', '/') }
}

type Found = Omit<LocatedPlace, 'name'>

function toFile({ file, line, column }: SourcePlace): Found {
  return { path: fileURLToPath(file.replace(/\?.*$/, '')), line, column }
}

async function locateInOutput({ file, line, column }: SourcePlace, places: Places): Promise<Found | undefined> {
  if (!URL.canParse(file)) return undefined
  const name = /\/_next\/(static\/.*)$/.exec(decodeURI(new URL(file).pathname))?.[1]
  if (name === undefined || name.split(/[\\/]/).includes('..')) return undefined
  const map = await shared(`${places.root}\n${name}`, () => readMap(name, places))
  const entry = map?.findEntry(line - 1, column - 1)
  if (!entry || !('originalSource' in entry)) return undefined
  // `turbopack:///[project]/src/a.ts`, `file:///…/src/a.ts` or `webpack://_N_E/./src/a.ts`
  const path = findFile(decodeURI(entry.originalSource.replace(/\?.*$/, '')), places)
  return path === undefined ? undefined : { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}

/** With webpack, Next evaluates each module separately. The source map is in the evaluated text. */
async function locateInModule({ file, line, column }: SourcePlace, places: Places): Promise<Found | undefined> {
  const path = findFile(file, places)
  if (path === undefined) return undefined
  const map = await shared(`${places.root}\n${file}`, () => readModuleMap(file, places))
  const entry = map?.findEntry(line - 1, column - 1)
  return entry && 'originalLine' in entry
    ? { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    : undefined
}

async function readModuleMap(file: string, places: Places): Promise<SourceMap | undefined> {
  const end = `\\n//# sourceURL=${file}\\n`
  for (const output of await listOutput(places)) {
    const text = await readFile(output, 'utf8').catch(() => '')
    const at = text.indexOf(end)
    if (at === -1) continue
    const start = text.lastIndexOf(';base64,', at) + ';base64,'.length
    try {
      return new SourceMap(JSON.parse(Buffer.from(text.slice(start, at), 'base64').toString()) as SourceMapPayload)
    } catch {
      // Next may be writing the file now.
    }
  }
  return undefined
}

const pending = new Map<string, Promise<SourceMap | undefined>>()

/**
 * Reads a source map once for all places that are looked up at the same time. A panel asks for all handlers of a module at once, and
 * each read needs the memory of a whole script.
 */
function shared(key: string, read: () => Promise<SourceMap | undefined>): Promise<SourceMap | undefined> {
  const known = pending.get(key)
  if (known) return known
  const reading = read().finally(() => pending.delete(key))
  pending.set(key, reading)
  return reading
}

/** Returns the scripts of pages, the newest first, because after an edit, a module is also in a hot update. */
async function listOutput({ root, distDir }: Places): Promise<string[]> {
  const folder = join(root, distDir, 'dev/static')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const scripts = names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name))
  const times = new Map(
    await Promise.all(
      scripts.map(async (script) => [script, (await stat(script).catch(() => undefined))?.mtimeMs ?? 0] as const),
    ),
  )
  return scripts.toSorted((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0))
}

/** Returns the file of the handlers for the name of a source or a module. */
function findFile(source: string, { files, root }: Places): string | undefined {
  return files.find((each) => source.endsWith(`/${relative(root, each).replaceAll('\\', '/')}`))
}

/** Next 16 writes the output of `next dev` into a separate folder. */
async function readMap(name: string, { root, distDir }: Places): Promise<SourceMap | undefined> {
  for (const folder of [join(distDir, 'dev'), distDir]) {
    try {
      return new SourceMap(JSON.parse(await readFile(join(root, folder, `${name}.map`), 'utf8')) as SourceMapPayload)
    } catch {
      // The file may be in the other folder, or missing.
    }
  }
  return undefined
}
