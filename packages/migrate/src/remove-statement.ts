import type { Node } from '@babel/types'
import type MagicString from 'magic-string'

import { rangeOf } from './syntax.ts'

/** Removes a statement with the comment directly above it. One empty line stays between the surrounding statements. */
export function removeStatement(out: MagicString, statement: Node): void {
  const text = out.original
  let [start, end] = rangeOf(statement)
  for (const comment of (statement.leadingComments ?? []).toReversed()) {
    if (comment.start == null || comment.end == null || /\n\s*\n/.test(text.slice(comment.end, start))) break
    start = comment.start
  }
  end += /^[ \t]*(?:\r?\n)?/.exec(text.slice(end))?.[0].length ?? 0
  const isAfterEmptyLine = start === 0 || /\n[ \t]*\r?\n$/.test(text.slice(0, start))
  if (isAfterEmptyLine) end += /^(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0
  out.remove(start, end)
}
