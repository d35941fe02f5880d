import type { ExportNamedDeclaration, ExportSpecifier, Node, Program } from '@babel/types'

import type { CodeStyle } from './code-style.ts'
import { endOf, freeName, indentationAt, type Insertion } from './insertions.ts'
import { isList } from './is-list.ts'
import { findExport, isType, readVariable } from './read-exports.ts'

/** Writes the code of a handler. */
type WriteItem = (indentation: string) => string

/** What is written: the text of the file, its style, and the handler. */
interface Extension {
  readonly text: string
  readonly style: CodeStyle
  readonly write: WriteItem
}

/**
 * Adds a handler to a file whose list of handlers is created elsewhere: the file then exports an array of the handler and of what it
 * exported before.
 *
 * - `export const handlers = createHandlers()` becomes `export const handlers = [http.get(…), ...createHandlers()]`.
 * - `export { handlers } from './api'` becomes an import, and `export const handlers = [http.get(…), ...otherHandlers]`.
 *
 * @returns those that replace text first; `undefined` if the file may export something other than a list
 */
export function extendHandlers(
  program: Program,
  text: string,
  style: CodeStyle,
  write: WriteItem,
): readonly Insertion[] | undefined {
  const extension = { text, style, write }
  const exported = findExport(program, 'handlers')
  if (!exported || exported.type === 'ExportSpecifier') {
    const found = findReexport(program, exported)
    return found ? extendReexport(found, extension) : exported ? undefined : extendStar(program, extension)
  }
  const value = readVariable(program, exported)
  if (value.type === 'ObjectExpression') {
    const [group] = value.properties
    if (group?.type !== 'ObjectProperty') return undefined
    const list = readVariable(program, group.value)
    if (list.type === 'Identifier' && !isImported(program, list.name)) return undefined
    return isList(program, list) ? wrap(list, extension, group.shorthand && list === group.value) : undefined
  }
  if (value.type !== 'Identifier') return isList(program, value) ? wrap(value, extension) : undefined
  // A variable that is assigned again may get any value later.
  return isImported(program, value.name) ? extendImported(program, value, extension) : undefined
}

/** Returns whether a name is an import of a single value. A namespace contains groups. */
function isImported({ body }: Program, name: string): boolean {
  return body.some(
    (each) =>
      each.type === 'ImportDeclaration' &&
      each.importKind !== 'type' &&
      each.specifiers.some(
        (specifier) =>
          specifier.type !== 'ImportNamespaceSpecifier' && specifier.local.name === name && !isType(specifier),
      ),
  )
}

/** Puts an expression into an array, after the handler. */
function wrap(node: Node, { text, style, write }: Extension, isShorthand = false): Insertion[] {
  const [start, end] = [node.start ?? 0, node.end ?? 0]
  const base = indentationAt(text, start)
  const own = base + style.indent
  const { lineBreak } = style
  const isSimple = /^(?:(?:Optional)?(?:Call|Member)Expression|Identifier|AwaitExpression|TSNonNullExpression)$/.test(
    node.type,
  )
  const key = isShorthand ? `${text.slice(start, end)}: ` : ''
  return [
    { at: start, text: `${key}[${lineBreak}${own}${write(own)},${lineBreak}${own}...${isSimple ? '' : '('}` },
    { at: end, text: `${isSimple ? '' : ')'},${lineBreak}${base}]` },
  ]
}

function toArray(others: string, { style: { lineBreak, indent }, write }: Extension): string {
  return `[${lineBreak}${indent}${write(indent)},${lineBreak}${indent}...${others},${lineBreak}]`
}

/** Extends `import { handlers } from './api'` with `export { handlers }` or `export default handlers`. */
function extendImported(program: Program, value: Node & { name: string }, extension: Extension): Insertion[] {
  const { text, style } = extension
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const specifier = statement.specifiers.find((each) => each.type === 'ExportSpecifier' && each.local === value)
    if (specifier?.type !== 'ExportSpecifier') continue
    const name = freeName('allHandlers', text)
    const list = `const ${name} = ${toArray(value.name, extension)}${style.semicolon}${style.lineBreak}`
    return [
      replace(specifier, `${name} as ${nameOf(specifier.exported)}`),
      { at: statement.start ?? 0, text: list + style.lineBreak },
    ]
  }
  return wrap(value, extension)
}

interface Reexport {
  readonly statement: ExportNamedDeclaration
  readonly specifier: ExportSpecifier
}

/** @param wanted the specifier; `undefined`: that of a default export */
function findReexport({ body }: Program, wanted: Node | undefined): Reexport | undefined {
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.source || statement.exportKind === 'type') continue
    for (const specifier of statement.specifiers) {
      if (specifier.type !== 'ExportSpecifier' || isType(specifier)) continue
      if (wanted ? specifier === wanted : nameOf(specifier.exported) === 'default') return { statement, specifier }
    }
  }
  return undefined
}

function extendReexport({ statement, specifier }: Reexport, extension: Extension): readonly Insertion[] {
  const { text, style } = extension
  const { specifiers, source } = statement
  const { lineBreak } = style
  const name = freeName('otherHandlers', text)
  const [start, end] = [statement.start ?? 0, endOf(statement, text)]
  const renamed = `${nameOf(specifier.local)} as ${name}`
  const left = nameOf(specifier.exported) === 'default' ? 'export default' : 'export const handlers ='
  const list = lineBreak + lineBreak + `${left} ${toArray(name, extension)}${style.semicolon}`
  if (specifiers.length === 1) {
    return [
      { at: start, end: start + 'export'.length, text: 'import' },
      replace(specifier, renamed),
      { at: end, text: list },
    ]
  }
  const imported = `import { ${renamed} } from ${text.slice(source?.start ?? 0, end)}`
  return [removeItem(specifiers, specifier, text), { at: start, text: imported + lineBreak }, { at: end, text: list }]
}

/** Removes an item of several, and a comma. Comments stay. */
function removeItem(items: readonly Node[], item: Node, text: string): Insertion {
  const index = items.indexOf(item)
  const after = items[index + 1]
  const [start, end] = [item.start ?? 0, item.end ?? 0]
  const [from, to] = after ? [end, after.start ?? 0] : [items[index - 1]?.end ?? 0, start]
  // Comments may contain commas.
  const rest = text.slice(from, to).replace(/(\/\*[^]*?\*\/|\/\/[^\r\n]*)|,/g, (_, comment?: string) => comment ?? '')
  const kept = rest.trim() === '' ? '' : after ? rest.trimStart() : rest
  return { at: Math.min(from, start), end: Math.max(to, end), text: kept }
}

/** Extends the only `export * from './api'`. An export of the file itself has precedence over it. */
function extendStar({ body }: Program, extension: Extension): readonly Insertion[] | undefined {
  const { text, style } = extension
  const { lineBreak } = style
  const [star, ...others] = body.filter((each) => each.type === 'ExportAllDeclaration' && each.exportKind !== 'type')
  if (star?.type !== 'ExportAllDeclaration' || others.length > 0) return undefined
  const name = freeName('otherHandlers', text)
  const end = endOf(star, text)
  const imported = `import { handlers as ${name} } from ${text.slice(star.source.start ?? 0, end)}`
  const list = `export const handlers = ${toArray(name, extension)}${style.semicolon}`
  return [
    { at: star.start ?? 0, text: imported + lineBreak },
    { at: end, text: lineBreak + lineBreak + list },
  ]
}

function replace({ start, end }: Node, text: string): Insertion {
  return { at: start ?? 0, end: end ?? 0, text }
}

/** The name of a specifier, as it is written: a name may be a string. */
function nameOf(node: ExportSpecifier['exported']): string {
  return node.type === 'Identifier' ? node.name : JSON.stringify(node.value)
}
