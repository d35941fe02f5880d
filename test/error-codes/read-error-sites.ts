import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parseSync } from 'vite'

/** A place in the sources that creates or prints a message with a code. */
export interface ErrorSite {
  readonly code: string
  /** The path relative to the repository's root. */
  readonly file: string
  readonly line: number
  /** The message, with `…` for parts that are known only at run time. Empty if all of it is. */
  readonly message: string
}

/** The messages that the sources print and throw. */
export interface ErrorSites {
  readonly sites: readonly ErrorSite[]
  /** Places that print or throw without a code: `packages/engine/src/ws/ws.ts:12: new Error('…')`. */
  readonly uncoded: readonly string[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Functions whose first argument is a code. */
const coded = /^(?:failure|withCode|toFailure|toCodedError|printWarning|print\.warn|print\.error|print\[.+\])$/

/** The files that define the functions above, which pass on their code. */
const definitions = ['packages/engine/src/core/failure.ts', 'packages/vite-plugin/src/vitest/failure.ts']

/** Functions that print a warning or an error in another way. */
const printing = /(?:^|[.)])(?:console|logger)\.(?:warn|warnOnce|error)$|^this\.(?:warn|error)$|\)\s*\.warn$/

/**
 * Reads the messages with codes of a package's sources.
 *
 * @param root the folder that has `packages`
 */
export function readErrorSites(root: string): ErrorSites {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test(?:-d)?\.tsx?$|\/testing\//.test(file) && !definitions.includes(file))
    .toSorted()
  const all = files.map((file) => readSource(file, readFileSync(join(root, file), 'utf8')))
  return { sites: all.flatMap(({ sites }) => sites), uncoded: all.flatMap(({ uncoded }) => uncoded) }
}

/** Reads the messages of one source file. */
export function readSource(file: string, text: string): ErrorSites {
  const sites: ErrorSite[] = []
  const uncoded: string[] = []
  const textOf = ({ start, end }: Node): string => text.slice(start, end)
  const lineOf = ({ start }: Node): number => text.slice(0, start).split('\n').length

  function visitCall(node: Node): void {
    const callee = textOf(node['callee'] as Node).replaceAll(/\s+/g, '')
    const args = node['arguments'] as Node[]
    const [first] = args
    const isNew = node.type === 'NewExpression'
    if (!isNew && coded.test(callee)) {
      const code = first && first.type === 'Literal' ? String(first['value']) : ''
      if (/^US\d{4}$/.test(code))
        sites.push({ code, file, line: lineOf(node), message: describe(callee, args.slice(1)) })
      else uncoded.push(`${file}:${lineOf(node)}: ${textOf(node)}`)
      return
    }
    const isReport = isNew ? callee.endsWith('Error') : printing.test(callee)
    if (!isReport) return
    const [, code] = /\((US\d{4})\)['"`]/.exec(textOf(node)) ?? []
    if (code) sites.push({ code, file, line: lineOf(node), message: messageOf(first) })
    else if (!/\b(?:withCode|failure)\(/.test(textOf(node))) {
      uncoded.push(`${file}:${lineOf(node)}: ${textOf(node).replaceAll(/\s+/g, ' ')}`)
    }
  }

  /** Visits a template with code of a page: the printed message is in the template, or is an expression in it. */
  function visitTemplate(node: Node): void {
    const expressions = node['expressions'] as readonly Node[]
    const quasis = node['quasis'] as readonly (Node & { value: { cooked: string } })[]
    quasis.forEach(({ value }, index) => {
      for (const [call, follows] of value.cooked.matchAll(/(?:console\.(?:warn|error)|new Error)\((.*)/g)) {
        const next = follows === '' ? expressions[index] : undefined
        const shown = next ? textOf(next) : call
        const [, code] = /\((US\d{4})\)['"`]/.exec(shown) ?? []
        const [argument] = next?.type === 'CallExpression' ? (next['arguments'] as Node[]) : []
        if (code) sites.push({ code, file, line: lineOf(node), message: messageOf(argument) })
        else if (!/\b(?:withCode|failure|describe\w+Gate|message)\b/.test(shown)) {
          uncoded.push(`${file}:${lineOf(node)}: ${shown}`)
        }
      }
    })
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    if (node.type === 'TemplateLiteral') visitTemplate(node)
    if (node.type === 'CallExpression' || node.type === 'NewExpression') visitCall(node)
    for (const [key, child] of Object.entries(node)) if (key !== 'parent') visit(child)
  }

  visit(parseSync(file, text).program.body)
  return { sites, uncoded }
}

function describe(callee: string, args: readonly Node[]): string {
  if (callee !== 'failure') {
    const [message] = args
    const text = message ? render(message) : ''
    return callee === 'toFailure' ? `Failed to ${text}` : text === '…' ? '' : text
  }
  const [operation = '…', reason = '…', action = '…'] = args.map(render)
  return `Failed to ${operation}: ${reason}. ${action}`
}

/** Returns the message of an argument that ends with its code. */
function messageOf(argument: Node | undefined): string {
  return argument ? render(argument).replace(/ \(US\d{4}\)$/, '') : ''
}

/** Returns the text of an expression, with `…` for parts that are not literal. */
function render(node: Node): string {
  if (node.type === 'Literal') return String(node['value'])
  if (node.type === 'BinaryExpression') return joinTexts(render(node['left'] as Node), render(node['right'] as Node))
  if (node.type === 'TemplateLiteral') {
    const quasis = node['quasis'] as readonly { value: { cooked: string } }[]
    return quasis.map(({ value }) => value.cooked).join('…')
  }
  return '…'
}

function joinTexts(left: string, right: string): string {
  return left.endsWith('…') && right.startsWith('…') ? left + right.slice(1) : left + right
}
