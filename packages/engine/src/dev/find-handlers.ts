import { existsSync, readdirSync } from 'node:fs'
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path'

import { failure } from '../core/failure.ts'
import { closest } from './options.ts'

/** Where handlers are looked for, relative to the root, in this order. */
export const handlersPlaces: readonly string[] = ['src/mocks/handlers', 'mocks/handlers']

/** Extensions of modules, in the order of preference. */
const extensions = ['.ts', '.tsx', '.mts', '.js', '.jsx', '.mjs']

const example = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
]`

/** A handlers module: its path on the disk, and how it is named to people. */
export interface HandlersFile {
  /** Absolute, with forward slashes. */
  path: string
  /** Relative to the root. */
  name: string
}

/**
 * Finds the handlers module of a project.
 *
 * @param root the project's root, absolute
 * @param option the option `handlers`, where it is given
 * @throws where there is none, with where it was looked for
 */
export function findHandlers(root: string, option: string | undefined): HandlersFile {
  const bases = option === undefined ? handlersPlaces : [option]
  for (const base of bases) {
    const path = findModule(isAbsolute(base) ? base : resolve(root, base))
    if (path) return { path: path.split(sep).join('/'), name: nameOf(root, path) }
  }
  if (option === undefined) {
    throw failure(
      'find the handlers',
      `there is no ${handlersPlaces.map((place) => `${place}.ts`).join(' and no ')} in ${root}`,
      `Create one, or name another file by the option "handlers". It may begin like this:\n\n${example}\n`,
    )
  }
  const similar = findSimilar(resolve(root, option))
  throw failure(
    'find the handlers',
    `the file ${option} of the option "handlers" does not exist in ${root}`,
    similar ? `Did you mean "${nameOf(root, similar)}"?` : 'Create it, or correct the option.',
  )
}

/** A module by its path, with or without extension; a folder by its index. */
function findModule(base: string): string | undefined {
  if (extensions.includes(extname(base)) && existsSync(base)) return base
  return [
    ...extensions.map((extension) => base + extension),
    ...extensions.map((extension) => join(base, `index${extension}`)),
  ].find((candidate) => existsSync(candidate))
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
