/** A call in a file: the name of the function, and its first argument if that is a text. */
export interface Call {
  readonly name: string
  readonly literal: string
}

/** Line and column, from 1. */
interface Position {
  readonly line: number
  readonly column: number
}

/**
 * Finds where a call of a generated file was written: the call of the same name with the same text, at the same place
 * among its like. It is exact if both files contain the same number of such calls.
 *
 * Storybook prints stories again, and its source maps name wrong lines.
 *
 * @param line from 1
 * @param column from 1: the start of the name, as stacks name it
 * @returns nothing if the first argument is not a text, or the source contains more of such calls
 */
export function findCall(generated: string, source: string, line: number, column: number): Position | undefined {
  const start = offsetOf(generated, line, column)
  const call = readCall(generated, start)
  if (!call) return undefined
  const like = findLike(generated, call)
  const turn = like.indexOf(start)
  return turn === -1 ? undefined : findNth(source, call, turn, like.length)
}

/** Reads the call whose name starts at an offset. Returns nothing if its first argument is not a text. */
export function readCall(text: string, start: number): Call | undefined {
  // Each character has one way to match. With `.` for a backslash, the time would double with every escape.
  const match = /^([\w$]+)\(\s*(["'`])((?:\\.|(?!\2)[^\\])*)\2/s.exec(text.slice(start, start + 1000))
  const [, name, , literal] = match ?? []
  return name === undefined || literal === undefined ? undefined : { name, literal }
}

/**
 * Finds the call with an index among equal calls of a source.
 *
 * @param count the number of such calls in the generated file. It may be larger: Storybook appends the text of stories
 */
export function findNth(source: string, call: Call, index: number, count: number): Position | undefined {
  const like = findLike(source, call)
  const found = like[index]
  if (found === undefined || like.length > count) return undefined
  const before = source.slice(0, found).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Whether a text contains a call with this name and first argument. */
export function hasCall(text: string, call: Call): boolean {
  return findLike(text, call).length > 0
}

/** Finds the offsets of equal calls, in their order. Type arguments may be between the name and the parenthesis. */
function findLike(text: string, { name, literal }: Call): number[] {
  const [escapedName, escapedLiteral] = [escape(name), escape(literal)]
  const pattern = new RegExp(`(?<![\\w$])${escapedName}(?:<[^()]*>)?\\(\\s*(["'\`])${escapedLiteral}\\1`, 'g')
  return Array.from(text.matchAll(pattern), ({ index }) => index)
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** The offset of a position in a text. */
export function offsetOf(text: string, line: number, column: number): number {
  let offset = 0
  for (let index = 1; index < line; index += 1) {
    const end = text.indexOf('\n', offset)
    if (end === -1) return text.length
    offset = end + 1
  }
  return offset + column - 1
}
