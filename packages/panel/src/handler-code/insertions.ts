import type { Node } from '@babel/types'

/** Text to insert before the character at an index. */
export interface Insertion {
  readonly at: number
  /** The end of the characters that the text replaces, if it replaces any. */
  readonly end?: number
  readonly text: string
}

/** Applies insertions that do not overlap. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, { at, end = at, text: inserted }) => result.slice(0, at) + inserted + result.slice(end), text)
}

/**
 * Returns the end of a statement. A semicolon at the beginning of a later line, as in code without semicolons, stays with the
 * statement that follows it: `;[1].forEach(…)`.
 */
export function endOf({ end }: Node, text: string): number {
  const [own = ''] = /\r?\n\s*;$/.exec(text.slice(0, end ?? 0)) ?? []
  return (end ?? 0) - own.length
}

/** Returns the white space at the beginning of the line of an index. */
export function indentationAt(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, index))?.[0] ?? ''
}

/** Returns a name that the file does not use. */
export function freeName(name: string, text: string): string {
  const isUsed = (each: string): boolean => new RegExp(String.raw`(?<![\w$])${each}(?![\w$])`).test(text)
  if (!isUsed(name)) return name
  let free = `mock${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  while (isUsed(free)) free += '_'
  return free
}
