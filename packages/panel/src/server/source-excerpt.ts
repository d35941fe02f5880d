import { readFile, realpath, stat } from 'node:fs/promises'

import { formatExcerpt } from '../format-excerpt.ts'
import { findRepository, isWithin } from '../save/repository.ts'
import type { LocatedPlace } from './located-place.ts'

/** Longer files are generated. In bytes. */
const fileLimit = 2_000_000

/**
 * Returns the lines around a place with their numbers, and a mark below the column; `null` if there is no such line, or
 * the file is not in the project's repository.
 *
 * @param root the project's folder
 */
export async function readExcerpt(place: LocatedPlace, root: string): Promise<string | null> {
  return formatExcerpt(await readSource(place.path, root).catch(() => ''), place)
}

/** @throws {Error} if the file cannot be read, or should not be */
async function readSource(path: string, root: string): Promise<string> {
  // A link may lead out of the repository.
  const [file, folder] = await Promise.all([realpath(path), realpath(root)])
  if (!isWithin(await findRepository(folder), file)) return ''
  const facts = await stat(file)
  return facts.isFile() && facts.size <= fileLimit ? readFile(file, 'utf8') : ''
}
