import { parse, type ParserOptions } from '@babel/parser'
import type { File, Node } from '@babel/types'

/** A part of a file that is JavaScript or TypeScript, with its position. */
interface ScriptPart {
  readonly code: string
  readonly offset: number
}

/**
 * Parses the scripts of a file. Positions in the trees are positions in the file.
 *
 * @param path its extension determines the language. `.vue`, `.svelte` and `.astro` files may contain several scripts
 * @returns one tree for each script
 * @throws {SyntaxError} if a script does not parse
 */
export function parseScripts(path: string, text: string): File[] {
  return findScripts(path, text).map(({ code, offset }) =>
    parse(code, {
      ...optionsFor(path),
      startIndex: offset,
      ...(offset > 0 && {
        startLine: text.slice(0, offset).split('\n').length,
        startColumn: offset - text.lastIndexOf('\n', offset - 1) - 1,
      }),
    }),
  )
}

function optionsFor(path: string): ParserOptions {
  // In a `.ts` file, `<T>value` is a type assertion; elsewhere it begins an element.
  const plugins: ParserOptions['plugins'] = /\.[cm]?ts$/.test(path)
    ? [['typescript', { dts: /\.d\.[cm]?ts$/.test(path) }]]
    : ['typescript', 'jsx']
  return {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowAwaitOutsideFunction: true,
    allowUndeclaredExports: true,
    errorRecovery: true,
    plugins: [...plugins, 'decorators'],
  }
}

function findScripts(path: string, text: string): ScriptPart[] {
  if (/\.(?:vue|svelte)$/.test(path)) {
    return [...text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(({ 0: whole, 1: code = '', index }) => ({
      code,
      offset: index + whole.indexOf('>') + 1,
    }))
  }
  if (path.endsWith('.astro')) {
    const fence = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)
    return fence ? [{ code: fence[1] ?? '', offset: fence[0].indexOf('\n') + 1 }] : []
  }
  return [{ code: text, offset: 0 }]
}

/** Calls `visit` with each node below `node`, with the nodes that contain it, the nearest first. */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  visit(node, parents)
  const below = [node, ...parents]
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || key.endsWith('Comments')) continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value as unknown]) {
      if (isNode(child)) walk(child, visit, below)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && 'start' in value
}

/** Returns the start and the end of a node in the file. */
export function rangeOf(node: Node): [start: number, end: number] {
  if (node.start == null || node.end == null)
    throw new Error(
      `Failed to read a ${node.type}: the parser gives it no position. Report this as a bug of Understudy. (US1005)`,
    )
  return [node.start, node.end]
}

/** Returns the name of an identifier or the text of a string, as in `{ a }` and `{ 'a': … }`. */
export function nameOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name
  if (node?.type === 'StringLiteral') return node.value
  return undefined
}
