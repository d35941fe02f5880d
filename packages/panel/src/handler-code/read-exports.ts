import type { ArrayExpression, Expression, Node, Program, Statement } from '@babel/types'

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
export function readVariable({ body }: Program, node: Node): Node {
  const inner = unwrap(node)
  if (inner.type !== 'Identifier') return inner
  let value: Expression | null | undefined
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type === 'VariableDeclaration') {
      for (const { id, init } of declared.declarations) {
        if (id.type === 'Identifier' && id.name === inner.name) value = init
      }
    } else if (assigns(statement, inner.name)) return inner
  }
  return value ? unwrap(value) : inner
}

function assigns(statement: Statement, name: string): boolean {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return false
  const { left } = statement.expression
  return left.type === 'Identifier' && left.name === name
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
      if (specifier.type === 'ExportDefaultSpecifier') continue
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

/** Returns the value inside of types and parentheses. */
export function unwrap(node: Node): Node {
  const isWrapped =
    node.type === 'TSAsExpression' ||
    node.type === 'TSSatisfiesExpression' ||
    node.type === 'TSNonNullExpression' ||
    node.type === 'TSTypeAssertion' ||
    node.type === 'ParenthesizedExpression'
  return isWrapped ? unwrap(node.expression) : node
}
