/** A place in a page's stack trace. */
export interface SourcePlace {
  /** The module's URL. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
}

/** The original place in a source file. */
export interface LocatedPlace {
  /** The file's path on the disk. */
  readonly path: string
  /** The file's path relative to the project's root, for display. */
  readonly name: string
  readonly line: number
  readonly column: number
}

/** The maximum number of places in one request. The dev server looks up each in its module graph. */
export const placesLimit = 1000
/** The maximum length of a file name, in characters. */
const fileLimit = 4096

/** @returns the places in a request's body; `undefined` if the body is malformed */
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
