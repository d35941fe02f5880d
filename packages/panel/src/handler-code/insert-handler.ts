import { parse } from '@babel/parser'
import type { ArrayExpression, ImportDeclaration, Program } from '@babel/types'

import { quoteText, readStyle, type CodeStyle } from './code-style.ts'
import { extendHandlers } from './extend-handlers.ts'
import type { HandlersCode } from './handler-code.ts'
import { endOf, freeName, indentationAt, insertAll, type Insertion } from './insertions.ts'
import { findArray } from './read-exports.ts'

/** Modules that export `http` and `graphql`, if no import shows which module a file uses. */
const knownModules = ['@understudy/engine', 'msw']

/**
 * Inserts a handler as the first item of the array that a handlers file exports, and adds missing imports. If the list is created
 * elsewhere, exports an array with the handler and this list. All other characters of the file stay the same.
 *
 * @param file the file's path in messages. Its extension determines the language
 * @throws {Error} if the file cannot be parsed, or if it exports no list that is known
 */
export function insertHandler(file: string, text: string, handler: HandlersCode): string {
  const program = parseFile(file, text)
  const array = findArray(program)
  const style = readStyle(text)
  const imports = readImports(program, handler.names, text, style)
  const write = (indentation: string): string => handler.write(style, indentation, imports.local)
  const insertions = array ? [toItem(array, text, style, write)] : extendHandlers(program, text, style, write)
  if (!insertions) throw refuse(file)
  const isFirst = ({ at }: Insertion): boolean =>
    insertions.some((each) => each.at === at && each.text.startsWith('import'))
  // No empty line between two imports.
  const own = imports.insertions.map((each) =>
    isFirst(each) ? { ...each, text: each.text.replace(/(\r?\n)\1$/, '$1') } : each,
  )
  const result = insertAll(text, [...insertions, ...own])
  try {
    parseFile(file, result)
  } catch (error) {
    // The file is correct. It has another variable with the name `handlers`.
    throw refuse(file, error)
  }
  return result
}

function refuse(file: string, cause?: unknown): Error {
  return new Error(
    `Failed to save the handler: ${file} exports no array of handlers that is written in this file. Copy the code, or write "export const handlers = [...]" in the file. (US0846)`,
    { cause },
  )
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

function toItem(
  array: ArrayExpression,
  text: string,
  style: CodeStyle,
  write: (indentation: string) => string,
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
  const item = `${lineBreak}${own}${write(own)},`
  if (beforeBreak !== undefined) return { at: start + 1 + beforeBreak.length, text: item }
  const isEmpty = inside.trim() === ''
  return { at: start + 1, text: item + lineBreak + (isEmpty ? base : own) }
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
