import type { CallExpression, File, Node, Statement } from '@babel/types'
import MagicString from 'magic-string'

import { removeStatement } from './remove-statement.ts'
import { removeUnusedImports } from './remove-unused-imports.ts'
import { nameOf, rangeOf, walk } from './syntax.ts'

/**
 * Returns the text of a module that exports the arguments of `setupWorker` as `handlers`, with the imports and the
 * declarations that they use.
 */
export function toHandlersModule(text: string, tree: File, call: CallExpression): string {
  const out = new MagicString(text)
  const used = findUsedDeclarations(tree, call)
  const removed = new Set<Node>()
  for (const statement of tree.program.body) {
    if (statement.type === 'ImportDeclaration' || used.has(statement)) continue
    removed.add(statement)
    if (contains(statement, call)) out.update(...rangeOf(statement), exportList(text, tree, call))
    else removeStatement(out, statement)
  }
  removeUnusedImports(out, tree, removed, new Set(call.arguments))
  return `${out.toString().trim()}\n`
}

/** Returns the statement that exports the handlers. The name `handlers` may be the name of an import. */
function exportList(text: string, tree: File, call: CallExpression): string {
  const first = call.arguments[0]
  const last = call.arguments.at(-1)
  const list = first && last ? text.slice(rangeOf(first)[0], rangeOf(last)[1]) : ''
  const taken = new Set(tree.program.body.flatMap((statement) => [...namesDeclaredBy(statement)]))
  if (!taken.has('handlers')) return `export const handlers = [${list}]`
  const name = ['allHandlers', 'browserHandlers', 'ownHandlers'].find((each) => !taken.has(each)) ?? 'list'
  return `const ${name} = [${list}]\nexport { ${name} as handlers }`
}

/** Finds the declarations of a module that the arguments of a call use, also indirectly. */
function findUsedDeclarations(tree: File, call: CallExpression): ReadonlySet<Statement> {
  const used = new Set<Statement>()
  const names = new Set(call.arguments.flatMap(identifiersIn))
  const others = tree.program.body.filter((each) => each.type !== 'ImportDeclaration' && !contains(each, call))
  for (let count = -1; count < used.size;) {
    count = used.size
    for (const statement of others) {
      if (used.has(statement) || ![...namesDeclaredBy(statement)].some((name) => names.has(name))) continue
      used.add(statement)
      for (const name of identifiersIn(statement)) names.add(name)
    }
  }
  return used
}

/** Returns the names that a statement of a module declares: imports, variables, functions, classes and types. */
function namesDeclaredBy(statement: Statement): Set<string> {
  if (statement.type === 'ImportDeclaration') return new Set(statement.specifiers.map(({ local }) => local.name))
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (declaration?.type === 'VariableDeclaration')
    return new Set(declaration.declarations.flatMap(({ id }) => identifiersIn(id)))
  const name = declaration && 'id' in declaration && declaration.id ? nameOf(declaration.id) : undefined
  return new Set(name === undefined ? [] : [name])
}

function identifiersIn(node: Node): string[] {
  const names: string[] = []
  walk(node, (each) => {
    if (each.type === 'Identifier' || each.type === 'JSXIdentifier') names.push(each.name)
  })
  return names
}

function contains(statement: Statement, call: CallExpression): boolean {
  let found = false
  walk(statement, (each) => {
    found ||= each === call
  })
  return found
}
