import { isDeepStrictEqual } from 'node:util'

import { isAlias, isMap, isScalar, parse, parseDocument, type Pair, type YAMLMap } from 'yaml'

/**
 * Adds an entry to `overrides` in the text of a `pnpm-workspace.yaml`, or changes it. Keeps the rest of the text.
 *
 * @returns `undefined` if the text has no form in which an entry can be inserted
 * @see https://pnpm.io/settings#overrides
 */
export function addOverride(text: string, name: string, specifier: string): string | undefined {
  const before = tryToParse(text)
  if (!before) return undefined
  const after = insertOverride(text, name, specifier)
  const expected = { ...before, overrides: { ...(before['overrides'] as object | null), [name]: specifier } }
  return isDeepStrictEqual(tryToParse(after), expected) ? after : undefined
}

function tryToParse(text: string): Record<string, unknown> | undefined {
  try {
    return (parse(text) ?? {}) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function insertOverride(text: string, name: string, specifier: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const entry = `${name}: ${specifier}`
  const { contents } = parseDocument(text)
  const overrides = isMap(contents) ? findPair(contents, 'overrides') : undefined
  if (!overrides) return `${endLine(text, lineEnd)}overrides:${lineEnd}  ${entry}${lineEnd}`
  const list = overrides.value
  if (!isMap(list)) {
    // A key without a value: the entry becomes the line below it.
    const end = text.indexOf('\n', rangeOf(overrides.key)[1]) + 1 || text.length
    return `${endLine(text.slice(0, end), lineEnd)}  ${entry}${lineEnd}${text.slice(end)}`
  }
  const existing = findPair(list, name)
  if (existing) {
    const [from, to] = rangeOf(existing.value)
    return replace(text, [from, to], from === to ? ` ${specifier}` : specifier)
  }
  const [first] = list.items
  const [start] = rangeOf(first ? first.key : list)
  if (list.flow) return insert(text, rangeOf(list)[0] + 1, first ? ` ${entry},` : ` ${entry} `)
  // The entries of a list have the same indent.
  return insert(text, start, `${entry}${lineEnd}${text.slice(text.lastIndexOf('\n', start - 1) + 1, start)}`)
}

function findPair(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)
}

/** Returns the start and the end of a node in its text. */
function rangeOf(node: unknown): [number, number] {
  const range = isScalar(node) || isAlias(node) || isMap(node) ? node.range : undefined
  return range ? [range[0], range[1]] : [0, 0]
}

function insert(text: string, at: number, part: string): string {
  return replace(text, [at, at], part)
}

function replace(text: string, [start, end]: readonly [number, number], part: string): string {
  return text.slice(0, start) + part + text.slice(end)
}

function endLine(text: string, lineEnd: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${lineEnd}`
}
