import { parse } from '@babel/parser'
import type { ArrayExpression, Expression, ImportDeclaration, Node, Program, Statement } from '@babel/types'

import { quoteText, readStyle, type CodeStyle } from './code-style.ts'
import type { HandlersCode } from './handler-code.ts'

/** Text to insert before the character at an index. */
export interface Insertion {
  readonly at: number
  /** The end of the characters that the text replaces, if it replaces any. */
  readonly end?: number
  readonly text: string
}

/** Modules that export `http` and `graphql`, if no import shows which module a file uses. */
const knownModules = ['@understudy/engine', 'msw']

/**
 * Inserts a handler as the first item of the array that a handlers file exports, and adds missing imports. All other
 * characters of the file stay the same.
 *
 * @param file the file's path in messages. Its extension determines the language
 * @throws {Error} if the file cannot be parsed, or if it exports no array
 */
export function insertHandler(file: string, text: string, handler: HandlersCode): string {
  const program = parseFile(file, text)
  const array = findArray(program)
  if (!array) {
    throw new Error(
      `Failed to save the handler: ${file} exports no array of handlers that is written in this file. Copy the code, or write "export const handlers = [...]" in the file. (US0846)`,
    )
  }
  const style = readStyle(text)
  const imports = readImports(program, handler.names, text, style)
  const insertions = [...imports.insertions, toItem(array, text, style, handler, imports.local)]
  const result = insertAll(text, insertions)
  parseFile(file, result)
  return result
}

/** Returns the code of a handler for the clipboard. */
export function writeHandler(handler: HandlersCode, text: string): string {
  return `${handler.write({ ...readStyle(text), lineBreak: '\n' }, '', (name) => name)},`
}

export function parseFile(file: string, text: string): Program {
  try {
    const plugins = /\.[cm]?ts$/.test(file) ? (['typescript'] as const) : (['typescript', 'jsx'] as const)
    return parse(text, { sourceType: 'module', plugins: [...plugins, 'decorators'] }).program
  } catch (error) {
    throw new Error(
      `Failed to save the handler: ${file} cannot be parsed: ${(error as Error).message} Copy the code, or correct the file. (US0845)`,
      { cause: error },
    )
  }
}

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
function readVariable({ body }: Program, node: Node): Node {
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

function findExport(program: Program, wanted: 'handlers' | 'scenarios'): Node | undefined {
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

function toItem(
  array: ArrayExpression,
  text: string,
  style: CodeStyle,
  handler: HandlersCode,
  local: (name: string) => string,
): Insertion {
  const start = array.start ?? 0
  const end = array.end ?? 0
  const { lineBreak, indent } = style
  const base = indentationAt(text, start)
  const inside = text.slice(start + 1, end - 1)
  const first = array.elements[0]
  // A comment on the line of the bracket stays there.
  const [beforeBreak] = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*)?(?=\r?\n)/.exec(inside) ?? []
  const own = first && beforeBreak !== undefined ? indentationAt(text, first.start ?? 0) : base + indent
  const item = `${lineBreak}${own}${handler.write(style, own, local)},`
  if (beforeBreak !== undefined) return { at: start + 1 + beforeBreak.length, text: item }
  const isEmpty = inside.trim() === ''
  return { at: start + 1, text: item + lineBreak + (isEmpty ? base : own) }
}

/**
 * Returns the end of a statement. A semicolon at the beginning of a later line, as in code without semicolons, stays with the
 * statement that follows it: `;[1].forEach(…)`.
 */
export function endOf({ end }: Node, text: string): number {
  const [own = ''] = /\r?\n\s*;$/.exec(text.slice(0, end ?? 0)) ?? []
  return (end ?? 0) - own.length
}

/** Returns the white space at the beginning of the line of an index. */
export function indentationAt(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, index))?.[0] ?? ''
}

interface Imports {
  readonly insertions: readonly Insertion[]
  readonly local: (name: string) => string
}

export function readImports(program: Program, names: readonly string[], text: string, style: CodeStyle): Imports {
  const declarations = program.body.filter((each) => each.type === 'ImportDeclaration')
  const module = findModule(declarations)
  const locals = new Map<string, string>()
  const ours = declarations.filter(({ source, importKind }) => source.value === module && importKind !== 'type')
  const namespace = ours.flatMap((each) => findNamespace(each))[0]
  for (const name of names) {
    const known = ours.map((each) => findLocal(each, name)).find((each) => each !== undefined)
    const local = known ?? (namespace && `${namespace}.${name}`)
    if (local !== undefined) locals.set(name, local)
  }
  const missing = names.filter((name) => !locals.has(name))
  for (const name of missing) locals.set(name, freeName(name, text))
  const local = (name: string): string => locals.get(name) ?? name
  if (missing.length === 0) return { insertions: [], local }
  const specifiers = missing.map((name) => (local(name) === name ? name : `${name} as ${local(name)}`))
  const extended = ours.find((each) => each.specifiers.some(({ type }) => type === 'ImportSpecifier'))
  const insertion = extended
    ? extendImport(extended, specifiers, text)
    : addImport(program, module, specifiers, text, style)
  return { insertions: [insertion], local }
}

function findModule(declarations: readonly ImportDeclaration[]): string {
  const values = declarations.filter(({ importKind }) => importKind !== 'type')
  const found =
    values.find((each) => findLocal(each, 'HttpResponse') !== undefined) ??
    values.find((each) => findLocal(each, 'http') !== undefined) ??
    declarations.find(({ source }) => knownModules.includes(source.value))
  return found?.source.value ?? '@understudy/engine'
}

/** Returns the local name of a value that a declaration imports. */
export function findLocal({ specifiers }: ImportDeclaration, name: string): string | undefined {
  for (const each of specifiers) {
    if (each.type !== 'ImportSpecifier' || each.importKind === 'type') continue
    const imported = each.imported.type === 'Identifier' ? each.imported.name : each.imported.value
    if (imported === name) return each.local.name
  }
  return undefined
}

/** Returns the local name of `import * as name`. */
function findNamespace({ specifiers }: ImportDeclaration): readonly string[] {
  return specifiers.flatMap(({ type, local }) => (type === 'ImportNamespaceSpecifier' ? [local.name] : []))
}

/** Returns a name that the file does not use. */
function freeName(name: string, text: string): string {
  const isUsed = (each: string): boolean => new RegExp(String.raw`(?<![\w$])${each}(?![\w$])`).test(text)
  if (!isUsed(name)) return name
  let free = `mock${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  while (isUsed(free)) free += '_'
  return free
}

function extendImport({ specifiers }: ImportDeclaration, added: readonly string[], text: string): Insertion {
  const named = specifiers.filter(({ type }) => type === 'ImportSpecifier')
  const last = named.at(-1)
  const at = last?.end ?? 0
  const indentation = indentationAt(text, last?.start ?? 0)
  const isOwnLine = text.slice(0, last?.start ?? 0).endsWith(`\n${indentation}`)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const separator = isOwnLine ? `,${lineBreak}${indentation}` : ', '
  return { at, text: added.map((each) => separator + each).join('') }
}

function addImport(
  { body, directives }: Program,
  module: string,
  specifiers: readonly string[],
  text: string,
  { lineBreak, quote, semicolon }: CodeStyle,
): Insertion {
  const line = `import { ${specifiers.join(', ')} } from ${quoteText(module, quote)}${semicolon}`
  const before = body.findLast(({ type }) => type === 'ImportDeclaration') ?? directives.at(-1)
  if (before) {
    const at = endOf(before, text)
    // A comment after the import stays on its line.
    const [rest = ''] = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(at)) ?? []
    return { at: at + rest.length, text: lineBreak + line }
  }
  const first = body[0]
  let at = first?.start ?? 0
  // A comment directly above the first statement describes it.
  for (const { start, end, value } of (first?.leadingComments ?? []).toReversed()) {
    const isAttached = end != null && /^[ \t]*(?:\r?\n)?[ \t]*$/.test(text.slice(end, at))
    if (!isAttached || /@ts-|eslint|@license/.test(value)) break
    at = start ?? at
  }
  return { at, text: line + lineBreak + lineBreak }
}

/** Applies insertions that do not overlap. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, { at, end = at, text: inserted }) => result.slice(0, at) + inserted + result.slice(end), text)
}
