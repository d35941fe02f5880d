import type { File, Node, Statement } from '@babel/types'

import type { Project } from './project.ts'
import { isStart, readStartOptions } from './start-options.ts'
import { nameOf, walk } from './syntax.ts'
import { takeHandlers } from './worker-set-up.ts'

/**
 * Takes the handlers and the options from the function with which `addonMsw()` or `mswLoader()` creates its worker, as in
 * MSW's guide. Adds a note if the function is another one.
 *
 * @param name the function of MSW's addon
 */
export function takeSetUp(
  project: Project,
  path: string,
  tree: File,
  { name, given }: { readonly name: string; readonly given: Node },
  options: Map<string, string>,
): void {
  let list: Node | undefined
  let isCreated = false
  walk(given, (node) => {
    if (node.type !== 'CallExpression') return
    if (isStart(node)) {
      for (const [key, value] of readStartOptions(project, [{ path, tree }], node.arguments[0])) options.set(key, value)
    } else if (nameOf(node.callee) === 'setupWorker') {
      isCreated = true
      list = node.arguments[0]
    }
  })
  if (isCreated && isPlain(given) && (!list || takeHandlers(project, path, tree, list, options))) return
  project.note(path, `${name}() had a worker. Export its handlers from src/mocks/handlers.`, given.loc?.start.line)
}

/** Returns whether a function only creates a worker of one list or none, starts it, and returns it. */
function isPlain(given: Node): boolean {
  if (given.type !== 'ArrowFunctionExpression' && given.type !== 'FunctionExpression') return isWorker(given)
  return given.body.type === 'BlockStatement' ? given.body.body.every(isOfSetUp) : isWorker(given.body)
}

/** `setupWorker(...handlers)` */
function isWorker(node: Node | null | undefined): boolean {
  return node?.type === 'CallExpression' && nameOf(node.callee) === 'setupWorker' && node.arguments.length <= 1
}

function isOfSetUp(statement: Statement): boolean {
  if (statement.type === 'VariableDeclaration') return statement.declarations.every(({ init }) => isWorker(init))
  if (statement.type === 'ReturnStatement')
    return statement.argument?.type === 'Identifier' || isWorker(statement.argument)
  if (statement.type !== 'ExpressionStatement') return false
  const { expression } = statement
  const call = expression.type === 'AwaitExpression' ? expression.argument : expression
  return call.type === 'CallExpression' && isStart(call)
}
