import { failure } from '../failure.ts'
import { compileExpression, UnsupportedExpression } from './expression-program.ts'
import { isLinear } from './is-linear.ts'
import { matchLinearly } from './match-linearly.ts'
import type { LinearMatcherFactory } from './path-pattern.ts'

/**
 * Creates matchers that take linear time, for `matchPathsLinearly`.
 *
 * @throws {UnderstudyError} if the expression is too large
 */
export const createLinearMatcher: LinearMatcherFactory = (regexp, tokens, path) => {
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
