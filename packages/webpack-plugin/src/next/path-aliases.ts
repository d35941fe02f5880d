import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

interface CompilerOptions {
  readonly baseUrl?: string
  readonly paths?: Readonly<Record<string, readonly string[]>>
}

/**
 * The aliases in `compilerOptions.paths` of a project's `tsconfig.json` or `jsconfig.json`, with which bundlers find
 * modules.
 */
export class PathAliases {
  readonly #entries: readonly (readonly [pattern: string, targets: readonly string[]])[]
  readonly #baseUrl: string | undefined

  constructor(root: string) {
    const file = ['tsconfig.json', 'jsconfig.json'].map((name) => join(root, name)).find((path) => existsSync(path))
    const { paths, pathsFrom, baseUrl } = file === undefined ? {} : readOptions(file)
    this.#baseUrl = baseUrl
    this.#entries = Object.entries(paths ?? {}).map(([pattern, targets]) => [
      pattern,
      targets.map((target) => resolve(baseUrl ?? pathsFrom ?? root, target)),
    ])
  }

  /** Returns the possible paths of a specifier, without checking that a file exists. */
  list(specifier: string): string[] {
    const found = this.#entries.flatMap(([pattern, targets]) => {
      const [before = '', after] = pattern.split('*')
      if (after === undefined) return specifier === pattern ? targets : []
      if (!specifier.startsWith(before) || !specifier.endsWith(after)) return []
      const middle = specifier.slice(before.length, specifier.length - after.length)
      return targets.map((target) => target.replace('*', () => middle))
    })
    return this.#baseUrl === undefined ? found : [...found, resolve(this.#baseUrl, specifier)]
  }
}

interface FoundOptions {
  readonly paths?: CompilerOptions['paths']
  /** The folder of the file that has `paths`. */
  readonly pathsFrom?: string
  readonly baseUrl?: string
}

function readOptions(file: string, depth = 0): FoundOptions {
  let config: { compilerOptions?: CompilerOptions; extends?: string | string[] }
  try {
    config = JSON.parse(removeComments(readFileSync(file, 'utf8'))) as typeof config
  } catch {
    // The app's compiler reports errors in this file.
    return {}
  }
  const folder = dirname(file)
  const bases =
    depth > 10 ? [] : [config.extends ?? []].flat().map((name) => readOptions(findBase(name, file), depth + 1))
  const { baseUrl, paths } = config.compilerOptions ?? {}
  return Object.assign({}, ...bases, {
    ...(paths && { paths, pathsFrom: folder }),
    ...(baseUrl !== undefined && { baseUrl: resolve(folder, baseUrl) }),
  }) as FoundOptions
}

function findBase(name: string, from: string): string {
  if (/^\.{1,2}\//.test(name)) return resolve(dirname(from), name.endsWith('.json') ? name : `${name}.json`)
  try {
    return createRequire(from).resolve(name)
  } catch {
    return name
  }
}

/** Removes comments and trailing commas outside of strings. */
function removeComments(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (found) => (found.startsWith('"') ? found : ''))
    .replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (found) => (found.startsWith('"') ? found : ''))
}
