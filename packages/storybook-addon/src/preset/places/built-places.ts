import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

import { findHandlerCalls, importsEngine } from '@understudy/engine/internal/dev'

import { findNth, hasCall, offsetOf, readCall, type Call } from '../../find-call.ts'

/** The parts of a source map that say which modules a file contains. */
export interface BuiltMap {
  readonly sources: readonly (string | null)[]
  readonly sourcesContent?: readonly (string | null)[] | undefined
}

/**
 * Lists where the developer wrote the handlers of a file of a built Storybook.
 *
 * @param map the source map of the file
 * @param toPath the absolute path of a source in the map
 * @returns places such as `'src/mocks/handlers.ts:4:8'`, by positions in the file such as `'1:2345'`
 */
export function listBuiltPlaces(
  code: string,
  map: BuiltMap,
  toPath: (source: string) => string,
): Record<string, string> {
  const read = createReader()
  const modules = new Map<string, string>()
  for (const [index, source] of map.sources.entries()) {
    if (source === null || /(?:^|\/)node_modules\//.test(source)) continue
    const content = map.sourcesContent?.[index] ?? ''
    const path = toPath(source).replace(/\?.*/, '')
    if (importsEngine(content)) modules.set(source, path)
  }
  const calls = findHandlerCalls(code, map).flatMap(({ keys, line, column, written }) => {
    const call = readCall(code, offsetOf(code, line, column))
    const path = modules.get(written.source) ?? (call && findOwner(modules, call, read))
    return path === undefined ? [] : [{ keys, written, path, call, like: `${path} ${call?.name} ${call?.literal}` }]
  })
  const counts = new Map<string, number>()
  for (const { like } of calls) counts.set(like, (counts.get(like) ?? 0) + 1)
  const turns = new Map<string, number>()
  const found: Record<string, string> = {}
  for (const { keys, written, path, call, like } of calls) {
    const turn = turns.get(like) ?? 0
    turns.set(like, turn + 1)
    // The source maps of stories name wrong lines, because Storybook prints stories again.
    const exact = call && findNth(read(path), call, turn, counts.get(like) ?? 0)
    const { line, column } = exact ?? written
    const name = relative(process.cwd(), path).replaceAll('\\', '/')
    for (const key of keys) found[key] = `${name}:${line}:${column}`
  }
  return found
}

/**
 * Finds the only module that contains a call. Webpack's source maps may attribute a module without mappings of its own to
 * the module before it.
 */
function findOwner(modules: ReadonlyMap<string, string>, call: Call, read: Read): string | undefined {
  const owners = [...modules.values()].filter((path) => hasCall(read(path), call))
  return owners.length === 1 ? owners[0] : undefined
}

/** Reads a source file. Returns an empty text if the file does not exist. */
type Read = (path: string) => string

/** Reads each file once. */
function createReader(): Read {
  const texts = new Map<string, string>()
  return (path) => {
    let text = texts.get(path)
    if (text === undefined) {
      text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      texts.set(path, text)
    }
    return text
  }
}
