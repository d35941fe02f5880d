import { existsSync, readdirSync, statSync } from 'node:fs'
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path'

import { failure } from '../core/failure.ts'
import { closest } from './options.ts'

/** Extensions of modules, in the order of preference. */
const extensions = ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs']

/** A module of the project: its path on the disk, and its name in messages. */
export interface ModuleFile {
  /** Absolute, with forward slashes. */
  path: string
  /** Relative to the root. */
  name: string
}

/**
 * Finds a module by its path, with or without extension. For a folder, finds its index.
 *
 * @param root the project's root, absolute
 * @param place relative to the root, or absolute
 */
export function findModule(root: string, place: string): ModuleFile | undefined {
  const path = listModulePaths(root, place).find((candidate) => existsSync(candidate))
  return path === undefined ? undefined : { path: path.split(sep).join('/'), name: nameOf(root, path) }
}

/** Returns every path at which {@link findModule} searches, in its order. */
export function listModulePaths(root: string, place: string): string[] {
  const base = isAbsolute(place) ? place : resolve(root, place)
  return [
    ...(extensions.includes(extname(base)) ? [base] : []),
    ...extensions.map((extension) => base + extension),
    ...extensions.map((extension) => join(base, `index${extension}`)),
  ]
}

/**
 * Finds the module of an option.
 *
 * @param operation the operation that needs the module, as the continuation of "Failed to"
 * @param option the option's name
 * @throws {UnderstudyError} if the file does not exist; the message suggests the closest one
 */
export function findNamedModule(root: string, place: string, operation: string, option: string): ModuleFile {
  const found = findModule(root, place)
  if (found) return found
  const path = resolve(root, place)
  if (existsSync(path)) {
    const [what, remedy] = statSync(path).isDirectory()
      ? ['a folder without an index file', 'Name the file']
      : ['not a module', `Name a file with the extension ${extensions.join(', ').replace(/, (?=\.\w+$)/, ' or ')}`]
    throw failure('US0123', operation, `the option "${option}" is "${place}", which is ${what}`, `${remedy}.`)
  }
  // A path that begins with a slash may be meant relative to the root, as in a URL.
  const similar = findModule(root, `.${place}`)?.path ?? findSimilar(path)
  throw failure(
    'US0122',
    operation,
    `the file ${place} of the option "${option}" does not exist in ${root}`,
    similar ? `Did you mean "${nameOf(root, similar)}"?` : 'Create it, or correct the option.',
  )
}

function findSimilar(path: string): string | undefined {
  const folder = join(path, '..')
  if (!existsSync(folder)) return undefined
  const name = closest(path.slice(folder.length + 1), readdirSync(folder))
  return name === undefined ? undefined : join(folder, name)
}

function nameOf(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}
