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

/** @returns the places of a request's body; nothing for whatever else */
export function parsePlaces(body: string): readonly SourcePlace[] | undefined {
  let data: unknown
  try {
    data = JSON.parse(body)
  } catch {
    return undefined
  }
  const { places } = (data ?? {}) as { places?: unknown }
  return Array.isArray(places) && places.every(isPlace) ? places : undefined
}

function isPlace(value: unknown): value is SourcePlace {
  if (typeof value !== 'object' || value === null) return false
  const { file, line, column } = value as Partial<Record<keyof SourcePlace, unknown>>
  return typeof file === 'string' && Number.isInteger(line) && Number.isInteger(column)
}
