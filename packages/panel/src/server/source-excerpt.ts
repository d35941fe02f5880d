import { readFile, realpath, stat } from 'node:fs/promises'

import { findRepository, isWithin } from '../save/repository.ts'
import type { LocatedPlace } from './located-place.ts'

/** The number of lines above and below the line of the place. */
const around = 2
/** The maximum length of a line, in characters. */
const lineLimit = 200
/** Longer files are generated. In bytes. */
const fileLimit = 2_000_000

/**
 * Returns the lines around a place with their numbers, and a mark below the column; `null` if there is no such line, or
 * the file is not in the project's repository.
 *
 * @param root the project's folder
 */
export async function readExcerpt({ path, line, column }: LocatedPlace, root: string): Promise<string | null> {
  const text = await readSource(path, root).catch(() => '')
  const lines = text.split(/\r?\n/)
  const marked = lines[line - 1]
  if (marked === undefined || text === '') return null
  const first = Math.max(1, line - around)
  const shown = lines.slice(first - 1, line + around)
  const width = String(first + shown.length - 1).length
  return shown
    .flatMap((each, index) => {
      const number = String(first + index).padStart(width)
      const code = each.length > lineLimit ? `${each.slice(0, lineLimit)}…` : each
      const row = `${first + index === line ? '>' : ' '} ${number} | ${code}`.trimEnd()
      // Some tools know only the line, and say column 1.
      const isMarked = first + index === line && column <= lineLimit && /\S/.test(each[column - 1] ?? '')
      if (!isMarked) return [row]
      // Tabs stay, so that the mark is below its column.
      return [row, `  ${' '.repeat(width)} | ${each.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')}^`]
    })
    .join('\n')
}

/** @throws {Error} if the file cannot be read, or should not be */
async function readSource(path: string, root: string): Promise<string> {
  // A link may lead out of the repository.
  const [file, folder] = await Promise.all([realpath(path), realpath(root)])
  if (!isWithin(await findRepository(folder), file)) return ''
  const facts = await stat(file)
  return facts.isFile() && facts.size <= fileLimit ? readFile(file, 'utf8') : ''
}
