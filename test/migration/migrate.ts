import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Replaces the setup files of the project with the versions that the migration changes by hand. */
export async function writeSetUp(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** Makes every import of a package fail, as in a project that does not have it installed. */
export async function uninstall(folder: string, name: string): Promise<void> {
  const target = join(folder, 'node_modules', name)
  await mkdir(target, { recursive: true })
  await writeFile(join(target, 'package.json'), JSON.stringify({ name, version: '0.0.0', exports: {} }))
}

/**
 * Reads the text files of a project by their paths, without installed packages. Returns no files if the folder does not
 * exist.
 */
export async function readFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const read = async (path: string): Promise<void> => {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const name = join(path, entry.name)
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules') await read(name)
      } else {
        files.set(name, await readFile(join(folder, name), 'utf8'))
      }
    }
  }
  if (existsSync(folder)) await read('.')
  return files
}

/** Returns the lines that differ between two states of a project, by file, as `-before` and `+after`. */
export function listChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return paths.flatMap((path): FileChange[] => {
    const [old, current] = [before.get(path), after.get(path)]
    if (old === current) return []
    if (current === undefined) return [{ path, isDeleted: true, removed: [], added: [] }]
    const [oldLines, lines] = [toLines(old ?? ''), toLines(current)]
    return [{ path, isDeleted: false, removed: without(oldLines, lines), added: without(lines, oldLines) }]
  })
}

export interface FileChange {
  readonly path: string
  readonly isDeleted: boolean
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

const toLines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Returns the lines that are not in another list. Each line of the other list counts once. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const index = left.indexOf(line)
    if (index === -1) return true
    left.splice(index, 1)
    return false
  })
}

/** Returns whether a change only replaces the package in an import. */
export function isImportChange({ isDeleted, removed, added }: FileChange): boolean {
  const unify = (line: string, name: RegExp): string => line.replace(name, '$1the package$2')
  const before = removed.map((line) => unify(line, /(["'])msw(?:\/[\w/-]+)?(["'])/))
  const after = added.map((line) => unify(line, /(["'])@understudy\/engine(?:\/\w+)?(["'])/))
  return !isDeleted && before.join('\n') === after.join('\n')
}

/** Formats the changes as text, for the snapshot of a project's test. */
export function printChanges(changes: readonly FileChange[]): string {
  const parts = changes.map(({ path, isDeleted, removed, added }) =>
    [
      `${path}${isDeleted ? ' (deleted)' : ''}`,
      ...removed.map((line) => `  - ${line}`),
      ...added.map((line) => `  + ${line}`),
    ].join('\n'),
  )
  return `${parts.join('\n\n')}\n`
}
