import type { ObjectExpression, Program, Statement } from '@babel/types'

import { readStyle, toKey, type CodeStyle } from './code-style.ts'
import type { HandlersCode } from './handler-code.ts'
import { parseFile, readImports } from './insert-handler.ts'
import { endOf, indentationAt, insertAll, type Insertion } from './insertions.ts'
import { findArray, findValue, unwrap } from './read-exports.ts'

/** The text of the file with a scenario. */
export interface InsertedScenario {
  readonly text: string
  /** Whether the file had a scenario with the same name. */
  readonly isReplaced: boolean
}

/** Writes the handlers of the scenario in the style of the file. */
type Write = (indentation: string) => string

/**
 * Writes a scenario into the object that a handlers file exports as `scenarios`, and adds the export and missing imports. A
 * scenario with the same name is replaced. All other characters of the file stay the same.
 *
 * @param file the file's path in messages. Its extension determines the language
 * @throws {Error} if the file cannot be parsed, or if its form does not allow the edit
 */
export function insertScenario(file: string, text: string, name: string, scenario: HandlersCode): InsertedScenario {
  const program = parseFile(file, text)
  const style = readStyle(text)
  const imports = readImports(program, scenario.names, text, style)
  const write: Write = (indentation) => scenario.write(style, indentation, imports.local)
  const exported = findValue(program, 'scenarios')
  if (!exported) {
    const added = addExport(program, text, style, name, write)
    if (typeof added === 'string') throw refuse(file, added)
    const result = insertAll(text, [...imports.insertions, added])
    return { text: checkName(file, result), isReplaced: false }
  }
  if (exported.type !== 'ObjectExpression') {
    throw refuse(file, 'exports "scenarios", but not as an object that is written in this file')
  }
  const known = findProperty(exported, name)
  const index = known ? exported.properties.indexOf(known) : 0
  if (known && exported.properties.slice(index).some(({ type }) => type === 'SpreadElement')) {
    throw refuse(file, `has other scenarios after "${name}" (...), which may replace it`)
  }
  const insertions = known
    ? [replaceProperty(known, text, style, name, write)]
    : addProperty(exported, text, style, name, write)
  const result = insertAll(text, [...imports.insertions, ...insertions])
  parseFile(file, result)
  return { text: result, isReplaced: known !== undefined }
}

/** Returns the code of a scenario for the clipboard. */
export function writeScenario(name: string, scenario: HandlersCode, text: string): string {
  const style = { ...readStyle(text), lineBreak: '\n' } as const
  return `${toKey(name, style)}: ${scenario.write(style, '', (each) => each)},`
}

function refuse(file: string, reason: string): Error {
  return new Error(
    `Failed to save the scenario: ${file} ${reason}. Copy the code into your scenarios, or write "export const scenarios = { ... }" in the file. (US0867)`,
  )
}

/** A file that has another value named `scenarios` cannot be parsed with the export. */
function checkName(file: string, text: string): string {
  try {
    parseFile(file, text)
    return text
  } catch {
    throw new Error(
      `Failed to save the scenario: ${file} has another value with the name "scenarios". Export it if it contains the scenarios, or rename it. (US0868)`,
    )
  }
}

/** Adds the export after the statement that has the handlers. Returns the reason if that is not possible. */
function addExport(program: Program, text: string, style: CodeStyle, name: string, write: Write): Insertion | string {
  const { body } = program
  const exports = body.filter((each) => each.type.startsWith('Export'))
  if (exports.some(({ type }) => type === 'ExportAllDeclaration')) {
    return 'has an "export * from", which may contain the scenarios'
  }
  const array = findArray(program)
  const holds = ({ start, end }: Statement): boolean =>
    array !== undefined && (start ?? 0) <= (array.start ?? 0) && (end ?? 0) >= (array.end ?? 0)
  const before = body.find(holds) ?? exports.at(-1)
  if (!before) return 'exports nothing'
  const { lineBreak, indent, semicolon } = style
  const end = endOf(before, text)
  // A comment after the statement stays on its line.
  const [rest = ''] = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(end)) ?? []
  const property = `${indent}${toKey(name, style)}: ${write(indent)},`
  const added = `export const scenarios = {${lineBreak}${property}${lineBreak}}${semicolon}`
  return { at: end + rest.length, text: lineBreak + lineBreak + added }
}

type Property = ObjectExpression['properties'][number]

/** Finds the last property with a name, whose value the object has. */
function findProperty(
  { properties }: ObjectExpression,
  name: string,
): Exclude<Property, { type: 'SpreadElement' }> | undefined {
  return properties.findLast(
    (each): each is Exclude<Property, { type: 'SpreadElement' }> =>
      each.type !== 'SpreadElement' && !setsPrototype(each) && readKey(each) === name,
  )
}

/** Returns whether a property sets the prototype: `__proto__: value`. */
function setsPrototype(property: Exclude<Property, { type: 'SpreadElement' }>): boolean {
  const isPlain = property.type === 'ObjectProperty' && !property.shorthand && !property.computed
  return isPlain && readKey(property) === '__proto__'
}

function readKey({ key, computed }: Exclude<Property, { type: 'SpreadElement' }>): string | undefined {
  if (key.type === 'StringLiteral') return key.value
  if (key.type === 'NumericLiteral') return String(key.value)
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? undefined
  return key.type === 'Identifier' && !computed ? key.name : undefined
}

/** Replaces the value of a property. A type behind an array stays. */
function replaceProperty(
  property: Exclude<Property, { type: 'SpreadElement' }>,
  text: string,
  style: CodeStyle,
  name: string,
  write: Write,
): Insertion {
  const isPlain = property.type === 'ObjectProperty' && !property.shorthand
  const value = isPlain ? property.value : undefined
  const inner = value && unwrap(value)
  const replaced = inner?.type === 'ArrayExpression' ? inner : (value ?? property)
  const at = replaced.start ?? 0
  const code = write(indentationAt(text, at))
  return { at, end: replaced.end ?? 0, text: isPlain ? code : `${toKey(name, style)}: ${code}` }
}

/** Adds a property at the end, because a property after a spread has precedence over it. */
function addProperty(
  object: ObjectExpression,
  text: string,
  style: CodeStyle,
  name: string,
  write: Write,
): readonly Insertion[] {
  const { lineBreak, indent } = style
  const start = (object.start ?? 0) + 1
  const end = (object.end ?? 0) - 1
  const base = indentationAt(text, object.start ?? 0)
  const first = object.properties[0]
  const last = object.properties.at(-1)
  const lastEnd = last?.end ?? start
  const rest = text.slice(lastEnd, end)
  // Comments may contain commas.
  const comma = rest.replaceAll(/\/\*[^]*?\*\/|\/\/[^\r\n]*/g, (each) => ' '.repeat(each.length)).indexOf(',')
  const needsComma = last !== undefined && comma === -1
  const isBroken = first ? /[\r\n]/.test(text.slice(start, first.start ?? start)) : /[\r\n]/.test(rest)
  const own = isBroken && first ? indentationAt(text, first.start ?? 0) : base + indent
  const property = `${own}${toKey(name, style)}: ${write(own)},`
  // Comments after the last property stay before the new one.
  const at = lastEnd + rest.trimEnd().length
  const isClosedBelow = text.slice(at, end).includes('\n')
  const added = isClosedBelow
    ? { at, text: lineBreak + property }
    : { at, end, text: lineBreak + property + lineBreak + base }
  // The other properties get lines of their own.
  const [space = ''] = /^[ \t]*/.exec(text.slice(start)) ?? []
  const opened = first && !isBroken ? [{ at: start, end: start + space.length, text: lineBreak + own }] : []
  if (!needsComma) return [...opened, added]
  if (at === lastEnd) return [...opened, { ...added, text: `,${added.text}` }]
  return [...opened, { at: lastEnd, text: ',' }, added]
}
