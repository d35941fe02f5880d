/** Where something stands, as a page's stack names it. */
export interface SourcePlace {
  /** The module's URL. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
}

/** Where a developer wrote it. */
export interface LocatedPlace {
  /** The file's path on the disk. */
  readonly path: string
  /** The file as people name it, relative to the project's root. */
  readonly name: string
  readonly line: number
  readonly column: number
}

/** How many places one request may ask for: each is looked up in the module graph. */
export const placesLimit = 1000
/** The longest name of a file that is looked up, in characters. */
const fileLimit = 4096

/** @returns the places of a request's body; nothing for whatever else */
export function parsePlaces(body: string): readonly SourcePlace[] | undefined {
  let data: unknown
  try {
    data = JSON.parse(body)
  } catch {
    return undefined
  }
  const { places } = (data ?? {}) as { places?: unknown }
  return Array.isArray(places) && places.length <= placesLimit && places.every(isPlace) ? places : undefined
}

function isPlace(value: unknown): value is SourcePlace {
  if (typeof value !== 'object' || value === null) return false
  const { file, line, column } = value as Partial<Record<keyof SourcePlace, unknown>>
  return typeof file === 'string' && file.length <= fileLimit && isPosition(line) && isPosition(column)
}

function isPosition(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
