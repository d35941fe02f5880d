import type { ArrayExpression, Node, Program } from '@babel/types'

import { isAssigned } from './is-assigned.ts'

/**
 * Finds the array that the file exports as `handlers`, otherwise as its default export. Of named groups, finds the first
 * one, whose handlers are tried first.
 */
export function findArray(program: Program): ArrayExpression | undefined {
  const value = findValue(program, 'handlers')
  const first = value?.type === 'ObjectExpression' ? value.properties[0] : undefined
  const group = first?.type === 'ObjectProperty' ? readVariable(program, first.value) : undefined
  const list = group ?? value
  return list?.type === 'ArrayExpression' ? list : undefined
}

/**
 * Finds the value that a file exports with a name, without types around it. For `handlers`, also the default export. The value
 * of another file is the name of a variable, or the specifier that exports it.
 */
export function findValue(program: Program, name: 'handlers' | 'scenarios'): Node | undefined {
  const exported = findExport(program, name)
  return exported && readVariable(program, exported)
}

/** Returns the value of a variable that is never assigned again, and other nodes as they are. Without types around it. */
export function readVariable(program: Program, node: Node): Node {
  const inner = unwrap(node)
  if (inner.type !== 'Identifier') return inner
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declared.declarations) {
      if (id.type !== 'Identifier' || id.name !== inner.name) continue
      const mayChange = (declared.kind === 'let' || declared.kind === 'var') && isAssigned(program, id)
      return init && !mayChange ? unwrap(init) : inner
    }
  }
  return inner
}

export function findExport(program: Program, wanted: 'handlers' | 'scenarios'): Node | undefined {
  const { body } = program
  let byDefault: Node | undefined
  for (const statement of body) {
    if (statement.type === 'ExportDefaultDeclaration') byDefault = unwrap(statement.declaration)
    if (statement.type !== 'ExportNamedDeclaration' || statement.exportKind === 'type') continue
    const { declaration, specifiers, source } = statement
    if (declaration?.type === 'VariableDeclaration') {
      const found = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === wanted)
      if (found) return found.id
    }
    // `export function handlers() {}` comes before a default export.
    if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === wanted) return declaration
    for (const specifier of specifiers) {
      if (specifier.type === 'ExportDefaultSpecifier' || isType(specifier)) continue
      const { exported } = specifier
      const name = exported.type === 'Identifier' ? exported.name : exported.value
      if (specifier.type === 'ExportNamespaceSpecifier') {
        if (name === wanted) return specifier
        continue
      }
      if (name === wanted) return source ? specifier : specifier.local
      if (name === 'default' && !source) byDefault = specifier.local
    }
  }
  return wanted === 'handlers' ? byDefault : undefined
}

/** Returns whether a specifier of a TypeScript file is only a type: `{ type handlers }`. */
export function isType(specifier: Node): boolean {
  const { importKind, exportKind } = specifier as { importKind?: unknown; exportKind?: unknown }
  return importKind === 'type' || exportKind === 'type'
}

/** Returns the value inside of types and parentheses. `value!` stays: without `!`, the value could be missing. */
export function unwrap(node: Node): Node {
  const isWrapped =
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSTypeAssertion' ||
    node.type === 'ParenthesizedExpression'
  return isWrapped ? unwrap(node.expression) : node
}
