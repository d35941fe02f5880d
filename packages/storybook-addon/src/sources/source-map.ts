import { decode, type SourceMapMappings } from '@jridgewell/sourcemap-codec'

/** The parts of a source map that are needed to find source positions. */
export interface SourceMap {
  readonly sources: readonly (string | null)[]
  readonly sourceRoot?: string
  readonly sourcesContent?: readonly (string | null)[]
  readonly mappings: SourceMapMappings
}

/** A position in a source file; line and column from 1. */
export interface OriginalPlace {
  /** The source's name in the map. */
  readonly source: string
  readonly line: number
  readonly column: number
}

/** Parses the JSON of a source map. */
export function readSourceMap(json: string): SourceMap {
  const { mappings, ...map } = JSON.parse(json) as Omit<SourceMap, 'mappings'> & { mappings: string }
  return { ...map, mappings: decode(mappings) }
}

/**
 * Returns the source position of a position in a generated file; `undefined` if the map does not contain it.
 *
 * @param line from 1
 * @param column from 1
 * @see https://tc39.es/ecma426/#sec-mappings
 */
export function findOriginal(map: SourceMap, line: number, column: number): OriginalPlace | undefined {
  // Find the last mapping that begins at or before the position.
  const segment = map.mappings[line - 1]?.findLast(
    ([generated, source]) => generated < column && source !== undefined && typeof map.sources[source] === 'string',
  )
  if (!segment || segment.length === 1) return undefined
  const [, source, originalLine, originalColumn] = segment
  return { source: map.sources[source] ?? '', line: originalLine + 1, column: originalColumn + 1 }
}
