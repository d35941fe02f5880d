import type { Token } from 'path-to-regexp'

import { failure } from '../failure.ts'
import { compileExpression, UnsupportedExpression } from './expression-program.ts'
import { isLinear } from './is-linear.ts'
import { matchLinearly } from './match-linearly.ts'

/** Matches as `RegExp.exec` does. */
export type Exec = (subject: string) => readonly (string | undefined)[] | null

/**
 * Creates a matcher that takes linear time.
 *
 * @returns `null` for an expression for which the platform takes linear time, too
 * @throws {UnderstudyError} if the expression is too large
 */
export function createLinearMatcher(regexp: RegExp, tokens: readonly Token[], path: string): Exec | null {
  if (isLinear(tokens)) return null
  try {
    const program = compileExpression(regexp)
    return (subject) => matchLinearly(program, subject)
  } catch (error) {
    if (!(error instanceof UnsupportedExpression)) throw error
    throw failure(
      'US0110',
      `read the path "${path}"`,
      `its expression could take very long to match, because ${error.message}`,
      'Simplify the expression, or pass a RegExp.',
      { cause: error },
    )
  }
}
