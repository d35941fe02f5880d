import type { File, ImportDeclaration, Node } from '@babel/types'
import type MagicString from 'magic-string'

import { removeStatement } from './remove-statement.ts'
import { rangeOf, walk } from './syntax.ts'

/**
 * Removes the imports that only removed code used, because `noUnusedLocals` reports them. Imports that were unused
 * before stay.
 *
 * @param removed the removed nodes
 * @param kept nodes within removed ones that stay, such as the body of a callback
 */
export function removeUnusedImports(
  out: MagicString,
  tree: File,
  removed: ReadonlySet<Node>,
  kept: ReadonlySet<Node> = new Set(),
): void {
  const before = new Set<string>()
  const after = new Set<string>()
  walk(tree.program, (node, parents) => {
    // Compilers may turn JSX into calls of a name that the code does not contain.
    if (node.type === 'JSXOpeningElement' || node.type === 'JSXOpeningFragment') after.add('React').add('h')
    if (node.type !== 'Identifier' && node.type !== 'JSXIdentifier') return
    if (parents[0]?.type.startsWith('Import') && parents[0].type !== 'ImportExpression') return
    if (isPropertyName(node, parents[0])) return
    const nearest = [node, ...parents].find((each) => removed.has(each) || kept.has(each))
    const isRemoved = nearest !== undefined && removed.has(nearest)
    ;(isRemoved ? before : after).add(node.name)
  })
  for (const statement of tree.program.body) {
    if (statement.type !== 'ImportDeclaration' || removed.has(statement)) continue
    const isUnused = ({ local }: ImportDeclaration['specifiers'][number]): boolean =>
      before.has(local.name) && !after.has(local.name)
    const used = statement.specifiers.filter((each) => !isUnused(each))
    if (used.length === statement.specifiers.length) continue
    if (used.length === 0) removeStatement(out, statement)
    else replaceSpecifiers(out, statement, used)
  }
}

/** Returns whether an identifier is the name of a property, as in `{ handlers: [] }` and `msw.handlers`. */
function isPropertyName(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'ObjectProperty') return parent.key === node && !parent.computed
  return parent?.type === 'MemberExpression' && parent.property === node && !parent.computed
}

/** Replaces the names between `import` and `from`. Keeps one name per line if the list was written so. */
function replaceSpecifiers(
  out: MagicString,
  { specifiers }: ImportDeclaration,
  used: ImportDeclaration['specifiers'],
): void {
  const text = out.original
  const [first, last] = [specifiers[0], specifiers.at(-1)]
  if (!first || !last) return
  const hasBraces = specifiers.some(({ type }) => type === 'ImportSpecifier')
  const open = text.lastIndexOf('{', rangeOf(last)[0])
  const start = first.type === 'ImportSpecifier' ? open : rangeOf(first)[0]
  const end = hasBraces ? text.indexOf('}', rangeOf(last)[1]) + 1 : rangeOf(last)[1]
  const textOf = (each: Node): string => text.slice(...rangeOf(each))
  const named = used.filter(({ type }) => type === 'ImportSpecifier').map(textOf)
  const others = used.filter(({ type }) => type !== 'ImportSpecifier').map(textOf)
  out.update(start, end, [...others, ...(named.length > 0 ? [toList(named, text.slice(open, end))] : [])].join(', '))
}

function toList(names: readonly string[], written: string): string {
  const indent = /^\{[ \t]*(\r?\n[ \t]*)/.exec(written)?.[1]
  if (indent === undefined) return `{ ${names.join(', ')} }`
  const comma = /,\s*\}$/.test(written) ? ',' : ''
  return `{${indent}${names.join(`,${indent}`)}${comma}${/\r?\n/.exec(indent)?.[0] ?? ''}}`
}
