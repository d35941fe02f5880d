/** A position in a text: line and column from 1. */
interface Position {
  readonly line: number
  readonly column: number
}

/** Lines that are shorter without spaces, such as `})`, occur often. */
const shortest = 4

/**
 * Finds the line of a source that was printed as a line of a generated file. Storybook prints stories again, and its source maps name wrong
 * lines.
 *
 * @param near the position that the source map names; it is preferred
 * @returns nothing if no line or several lines have this text
 */
export function findSameLine(
  generated: string,
  source: string,
  { line, column }: Position,
  near: Position | undefined,
): Position | undefined {
  const printed = generated.split('\n')[line - 1] ?? ''
  const wanted = compact(printed)
  if (wanted.length < shortest) return undefined
  const lines = source.split(/\r?\n/)
  const same = lines.flatMap((text, index) => (compact(text) === wanted ? [index] : []))
  const [found = -1] = near && same.includes(near.line - 1) ? [near.line - 1] : same.length === 1 ? same : []
  const text = lines[found]
  if (text === undefined) return undefined
  return { line: found + 1, column: Math.max(1, column - indentOf(printed) + indentOf(text)) }
}

/** Removes what a printer changes: spaces, quotes, and the ends of statements. */
function compact(text: string): string {
  return text.replaceAll(/[\s;,]/g, '').replaceAll(/["`]/g, "'")
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}
