/** A call in a file: a name, and the text that it is given first. */
interface Call {
  readonly name: string
  readonly literal: string
  /** How many of its like stand before it. */
  readonly turn: number
}

/**
 * Where a call of a generated file was written: the call of the same name with the same text first, and as many of its like
 * before it. Exact where both files hold as many.
 *
 * Storybook prints stories again, and its source maps name lines that are near, and others.
 *
 * @param line from 1
 * @param column from 1: where the name begins, as stacks say it
 * @returns nothing for what gets no text first, and where the source holds more of such calls
 */
export function findCall(
  generated: string,
  source: string,
  line: number,
  column: number,
): { line: number; column: number } | undefined {
  const start = offsetOf(generated, line, column)
  const call = readCall(generated, start)
  if (!call) return undefined
  const like = findLike(source, call)
  const found = like[call.turn]
  // Storybook appends the text of stories, where they stand once more.
  if (found === undefined || like.length > findLike(generated, call).length) return undefined
  const before = source.slice(0, found).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function readCall(text: string, start: number): Call | undefined {
  const match = /^([\w$]+)\(\s*(["'`])((?:\\.|(?!\2).)*)\2/s.exec(text.slice(start, start + 1000))
  const [, name, , literal] = match ?? []
  if (name === undefined || literal === undefined) return undefined
  const like = findLike(text, { name, literal })
  const turn = like.indexOf(start)
  return turn === -1 ? undefined : { name, literal, turn }
}

/** Offsets of calls, in their order; types stand between a name and what it is given. */
function findLike(text: string, { name, literal }: Pick<Call, 'name' | 'literal'>): number[] {
  const [escapedName, escapedLiteral] = [escape(name), escape(literal)]
  const pattern = new RegExp(`(?<![\\w$])${escapedName}(?:<[^()]*>)?\\(\\s*(["'\`])${escapedLiteral}\\1`, 'g')
  return Array.from(text.matchAll(pattern), ({ index }) => index)
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function offsetOf(text: string, line: number, column: number): number {
  let offset = 0
  for (let index = 1; index < line; index += 1) {
    const end = text.indexOf('\n', offset)
    if (end === -1) return text.length
    offset = end + 1
  }
  return offset + column - 1
}
