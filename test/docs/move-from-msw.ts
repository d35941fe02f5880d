import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Project } from '../../packages/migrate/src/project.ts'
import { rewriteImports } from '../../packages/migrate/src/rewrite-imports.ts'

/**
 * Changes imports from `msw` into ours, as the migration command does.
 *
 * @param folder the folder of the files. `node_modules` in it does not change
 */
export async function moveFromMsw(folder: string): Promise<void> {
  const project = new Project(folder)
  rewriteImports(project)
  for (const { file, after } of project.changes()) if (after !== undefined) await writeFile(join(folder, file), after)
}
