import type { LocatedSource, SourcePlace } from '@understudy/panel'

import { builtPlacesFile, type BuiltPlaces } from '../events.ts'

let reading: Promise<BuiltPlaces> | undefined

/** Finds out where the handlers of a built Storybook were written. `null` if the build does not say it. */
export async function locateInBuild(places: readonly SourcePlace[]): Promise<readonly (LocatedSource | null)[]> {
  const root = new URL('.', location.href).href
  const known = await (reading ??= readPlaces(new URL(builtPlacesFile, root).href))
  return places.map(({ file, line, column }) => {
    const written = file.startsWith(root) ? known[file.slice(root.length)]?.[`${line}:${column}`] : undefined
    const [, name, ...position] = /^(.+):(\d+):(\d+)$/.exec(written ?? '') ?? []
    if (name === undefined) return null
    return { file: name, name, path: name, line: Number(position[0]), column: Number(position[1]) }
  })
}

async function readPlaces(url: string): Promise<BuiltPlaces> {
  try {
    const response = await fetch(url)
    return response.ok ? ((await response.json()) as BuiltPlaces) : {}
  } catch {
    // The file is not there: places stay those in the bundle.
    return {}
  }
}
