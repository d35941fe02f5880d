import type { Node } from '@babel/types'

import type { Project } from './project.ts'
import { rangeOf } from './syntax.ts'

/** A part of a condition that is true in development, where plugins mock without an option. */
const ofDevelopment = [
  /^!?import\.meta\.env\.(?:DEV|PROD)$/,
  /^!?__DEV__$/,
  /^(?:process\.env\.NODE_ENV|import\.meta\.env\.MODE)\s*[!=]==?\s*(['"`])(?:development|production|test)\1$/,
  // Code that servers also run starts the worker only where there is a page.
  /^typeof window\s*[!=]==?\s*(['"`])undefined\1$/,
]

/** Returns whether a condition of the start code is only about development, so that the plugin needs no option for it. */
function isOfDevelopment(condition: Node, text: string): boolean {
  if (condition.type === 'LogicalExpression')
    return isOfDevelopment(condition.left, text) && isOfDevelopment(condition.right, text)
  const written = text.slice(condition.start ?? 0, condition.end ?? 0)
  if (text.includes('$app/environment') && /^!?(?:dev|browser)$/.test(written)) return true
  return ofDevelopment.some((pattern) => pattern.test(written))
}

/** Conditions under which code runs, and whether each must be true or false. */
export type Conditions = Map<Node, boolean>

/**
 * Finds the conditions under which code of a file imports the worker: those around it, and those of early returns
 * before it.
 *
 * @param parents the nodes that contain the code, the nearest first
 */
export function findConditions(node: Node, parents: readonly Node[]): Conditions {
  const conditions: Conditions = new Map()
  let inner = node
  for (const parent of parents) {
    if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression')
      conditions.set(parent.test, parent.alternate !== inner)
    else if (parent.type === 'LogicalExpression' && parent.right === inner)
      conditions.set(parent.left, parent.operator !== '||')
    else if (parent.type === 'BlockStatement') {
      for (const earlier of parent.body) {
        if (earlier === inner) break
        if (earlier.type === 'IfStatement' && isReturn(earlier.consequent)) conditions.set(earlier.test, false)
      }
    }
    inner = parent
  }
  return conditions
}

function isReturn(statement: Node): boolean {
  return statement.type === 'BlockStatement'
    ? statement.body.some((each) => each.type === 'ReturnStatement')
    : statement.type === 'ReturnStatement'
}

/** Adds a note for each condition of the start code that the plugin does not know. */
export function noteConditions(project: Project, path: string, text: string, conditions: Conditions): void {
  for (const [condition, isTrue] of conditions) {
    if (isOfDevelopment(condition, text)) continue
    const written = isTrue ? text.slice(...rangeOf(condition)) : negate(condition, text)
    project.note(
      path,
      `The worker started only under this condition: ${written}\n    The plugin mocks in development, and not in builds. Set its option "enabled" if you need the condition.`,
      condition.loc?.start.line,
    )
  }
}

function negate(condition: Node, text: string): string {
  if (condition.type === 'UnaryExpression' && condition.operator === '!')
    return text.slice(...rangeOf(condition.argument))
  const written = text.slice(...rangeOf(condition))
  return ['Identifier', 'MemberExpression', 'CallExpression'].includes(condition.type) ? `!${written}` : `!(${written})`
}
