/** What of a source map says where a line was written. */
export interface SourceMap {
  readonly sources: readonly (string | null)[]
  readonly sourceRoot?: string
  readonly sourcesContent?: readonly (string | null)[]
  readonly mappings: string
}

/** A place in a file that was written; line and column from 1. */
export interface OriginalPlace {
  /** As the map names it. */
  readonly source: string
  readonly line: number
  readonly column: number
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Where the place of a generated file was written; nothing, where the map does not say.
 *
 * @param line from 1
 * @param column from 1
 * @see https://tc39.es/ecma426/#sec-mappings
 */
export function findOriginal(map: SourceMap, line: number, column: number): OriginalPlace | undefined {
  let [source, originalLine, originalColumn] = [0, 0, 0]
  let found: OriginalPlace | undefined
  for (const [index, text] of map.mappings.split(';', line).entries()) {
    let generated = 0
    for (const segment of text.split(',')) {
      const [toColumn = 0, toSource, toLine = 0, toOriginalColumn = 0] = decodeSegment(segment)
      generated += toColumn
      if (toSource === undefined) continue
      source += toSource
      originalLine += toLine
      originalColumn += toOriginalColumn
      const name = map.sources[source]
      // The last one that begins no later than the place.
      if (index === line - 1 && generated < column && typeof name === 'string') {
        found = { source: name, line: originalLine + 1, column: originalColumn + 1 }
      }
    }
  }
  return found
}

/** Numbers in base 64: five bits for each digit, the lowest first; the lowest bit of all is the sign. */
function decodeSegment(segment: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const character of segment) {
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = shift = 0
  }
  return numbers
}
