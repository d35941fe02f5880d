import type { ArrayExpression, CallExpression, Node, Program } from '@babel/types'

import { isBytesExpression } from '../log/bytes-expression.ts'
import { readStyle } from './code-style.ts'
import type { Exchange } from './exchange.ts'
import type { HandlerCode } from './handler-code.ts'
import { findLocal, parseFile, readImports } from './insert-handler.ts'
import { indentationAt, insertAll } from './insertions.ts'
import { findArray } from './read-exports.ts'

/** The text of the file with another resolver in one handler. */
export interface ResolverReplacement {
  readonly text: string
  /** Notes about the code that is lost, in sentences. Empty for a resolver that only returns a response. */
  readonly notes: readonly string[]
}

/**
 * Replaces the resolver of the handler that answered an exchange. All other characters of the call and the file stay the
 * same, except for a missing import.
 *
 * @returns `undefined` if the handlers file does not contain the handler, or if another one may have answered
 */
export function replaceResolver(
  file: string,
  text: string,
  exchange: Exchange,
  handler: HandlerCode,
): ResolverReplacement | undefined {
  const program = parseFile(file, text)
  const array = findArray(program)
  const resolver = array && findCall(program, array, exchange)?.arguments[1]
  if (!resolver || resolver.type === 'SpreadElement' || resolver.type === 'ArgumentPlaceholder') return undefined
  const at = resolver.start ?? 0
  const end = resolver.end ?? 0
  const style = readStyle(text)
  const { insertions, local } = readImports(program, ['HttpResponse'], text, style)
  const code = handler.writeResolver(style, indentationAt(text, at), local)
  const result = insertAll(text, [...insertions, { at, end, text: code }])
  parseFile(file, result)
  return { text: result, notes: describeLoss(resolver, text.slice(at, end), findImport(program, 'HttpResponse')) }
}

/** Finds the call of the handler, if there is only one such call and it begins on the line that the panel has. */
function findCall(program: Program, { elements }: ArrayExpression, exchange: Exchange): CallExpression | undefined {
  const { header, method, name, line } = exchange
  const [, kind = '', target] = /^(\S+) (.+)$/.exec(header ?? '') ?? []
  const api = kind === method ? 'http' : kind !== '' && name?.startsWith(`${kind} `) === true ? 'graphql' : undefined
  const object = api && findImport(program, api)
  if (object === undefined || line == null) return undefined
  const matching = elements.filter((each): each is CallExpression => {
    if (each?.type !== 'CallExpression') return false
    const { callee, arguments: given } = each
    return (
      callee.type === 'MemberExpression' &&
      !callee.computed &&
      callee.object.type === 'Identifier' &&
      callee.object.name === object &&
      callee.property.type === 'Identifier' &&
      callee.property.name === kind.toLowerCase() &&
      readText(given[0]) === target
    )
  })
  const [call] = matching
  if (!call || matching.length > 1) return undefined
  // Other items, such as `...others` or `wrap(…)`, may contain a handler with the same header on the same line.
  const apis = ['http', 'graphql', 'sse'].map((each) => findImport(program, each))
  const isKnown = elements.slice(0, elements.indexOf(call)).every((each) => {
    const callee = each?.type === 'CallExpression' ? each.callee : undefined
    const base = callee?.type === 'MemberExpression' ? callee.object : callee
    return base?.type === 'Identifier' && apis.includes(base.name)
  })
  const first = call.loc?.start.line ?? 0
  const last = call.callee.loc?.end.line ?? 0
  return isKnown && line >= first && line <= last ? call : undefined
}

function findImport({ body }: Program, name: string): string | undefined {
  return body
    .flatMap((each) => (each.type === 'ImportDeclaration' && each.importKind !== 'type' ? [findLocal(each, name)] : []))
    .find((each) => each !== undefined)
}

/** Returns the value of a string without substitutions. */
function readText(node: Node | undefined): string | undefined {
  if (node?.type === 'StringLiteral') return node.value
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined
}

function describeLoss(resolver: Node, text: string, response: string | undefined): string[] {
  const offset = (index: number | null | undefined): number => (index ?? 0) - (resolver.start ?? 0)
  if (isPlain(resolver, response, (node) => text.slice(offset(node.start), offset(node.end)))) return []
  if (resolver.type !== 'ArrowFunctionExpression' && resolver.type !== 'FunctionExpression') {
    return ['The handler no longer uses its resolver, which is written elsewhere.']
  }
  const count = text.split('\n').length
  return [`The resolver's own code is replaced: ${count} ${count === 1 ? 'line' : 'lines'}.`]
}

/** Returns whether a resolver only returns a response, and neither reads the request nor calls another function. */
function isPlain(resolver: Node, response: string | undefined, textOf: (node: Node) => string): boolean {
  const isFunction = resolver.type === 'ArrowFunctionExpression' || resolver.type === 'FunctionExpression'
  if (!isFunction || resolver.params.length > 0 || resolver.generator) return false
  let value: Node | null | undefined = resolver.body
  if (value.type === 'BlockStatement') {
    const [statement, ...others] = value.body
    // Directives and comments are the developer's, too.
    const isReturn = statement?.type === 'ReturnStatement' && others.length === 0 && value.directives.length === 0
    if (!isReturn || hasComment(statement)) return false
    value = statement.argument
  }
  if (value?.type !== 'CallExpression' && value?.type !== 'NewExpression') return false
  const { callee } = value
  const name = callee.type === 'MemberExpression' ? callee.object : callee
  const isResponse = name.type === 'Identifier' && name.name === response
  return (
    isResponse &&
    !hasComment(value) &&
    !value.arguments.some((each) => !isBytesExpression(textOf(each)) && runsCode(each))
  )
}

function hasComment(node: Node): boolean {
  return [node.leadingComments, node.innerComments, node.trailingComments].some((each) => each && each.length > 0)
}

/** Returns whether an expression contains a call, a function or a comment. */
function runsCode(node: object): boolean {
  const { type, leadingComments, innerComments, trailingComments } = node as Partial<Node> & { type?: unknown }
  if (
    typeof type === 'string' &&
    /Call|^New|Function|^Await|^Yield|^Tagged|^Assignment|^Update|^Object(?:Method)/.test(type)
  ) {
    return true
  }
  if ([leadingComments, innerComments, trailingComments].some((each) => each && each.length > 0)) return true
  return Object.values(node).some(
    (child: unknown) => typeof child === 'object' && child !== null && !('filename' in child) && runsCode(child),
  )
}
