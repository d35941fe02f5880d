import { readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { LocatedPlace, SourcePlace } from '@understudy/panel/server'

interface Places {
  readonly root: string
  readonly distDir: string
  readonly basePath: string
  /** The files of the handlers: places in others are not revealed. */
  readonly files: readonly string[]
}

/** Where a developer wrote what a stack names: in the server, a file; in a page, a file of Next's output. */
export async function locateInNext(place: SourcePlace, places: Places): Promise<LocatedPlace | undefined> {
  const { root, files } = places
  const found = place.file.startsWith('file:') ? toFile(place) : await locateInOutput(place, places)
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
  const map = await readMap(name, places)
  const entry = map?.findEntry(line - 1, column - 1)
  if (!entry || !('originalSource' in entry)) return undefined
  const source = decodeURI(entry.originalSource.replace(/\?.*$/, ''))
  // `turbopack:///[project]/src/a.ts`, `file:///…/src/a.ts` or `webpack://_N_E/./src/a.ts`
  const path = places.files.find((each) => {
    const short = relative(places.root, each).replaceAll('\\', '/')
    return source.endsWith(`/${short}`)
  })
  return path === undefined ? undefined : { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
}

/** Next 16 puts the output of `next dev` into a folder of its own. */
async function readMap(name: string, { root, distDir }: Places): Promise<SourceMap | undefined> {
  for (const folder of [join(distDir, 'dev'), distDir]) {
    try {
      return new SourceMap(JSON.parse(await readFile(join(root, folder, `${name}.map`), 'utf8')) as SourceMapPayload)
    } catch {
      // It may be in the other folder, or nowhere.
    }
  }
  return undefined
}
