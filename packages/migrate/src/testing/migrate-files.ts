import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { runMigration } from '../run-migration.ts'

export interface Migrated {
  readonly code: number
  readonly output: string
  /** The text of each file after the migration. */
  readonly files: Record<string, string>
}

/** Runs the command on a project with the given files, in a new folder. */
export async function migrateFiles(
  files: Record<string, string>,
  { args = ['--yes'], answer }: { args?: readonly string[]; answer?: string } = {},
): Promise<Migrated> {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-migrate-'))
  try {
    for (const [file, text] of Object.entries({ 'package.json': '{}\n', ...files })) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    const lines: string[] = []
    const print = (text: string): void => void lines.push(text)
    const code = await runMigration([folder, ...args], { print, printError: print, ask: () => Promise.resolve(answer) })
    return { code, output: lines.join('\n'), files: await readFiles(folder) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(
      files
        .toSorted()
        .map(
          async (path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path, 'utf8')] as const,
        ),
    ),
  )
}
