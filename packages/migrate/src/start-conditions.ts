import type { Node } from '@babel/types'

/** A part of a condition that is true in development, where plugins mock without an option. */
const ofDevelopment = [
  /^!?import\.meta\.env\.(?:DEV|PROD)$/,
  /^!?__DEV__$/,
  /^(?:process\.env\.NODE_ENV|import\.meta\.env\.MODE)\s*[!=]==?\s*(['"`])(?:development|production|test)\1$/,
  // Code that servers also run starts the worker only where there is a page.
  /^typeof window\s*[!=]==?\s*(['"`])undefined\1$/,
]

/** Returns whether a condition of the start code is only about development, so that the plugin needs no option for it. */
export function isOfDevelopment(condition: Node, text: string): boolean {
  if (condition.type === 'LogicalExpression')
    return isOfDevelopment(condition.left, text) && isOfDevelopment(condition.right, text)
  const written = text.slice(condition.start ?? 0, condition.end ?? 0)
  return ofDevelopment.some((pattern) => pattern.test(written))
}
