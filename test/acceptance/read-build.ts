import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Project } from './project.ts'

/**
 * Returns the text of all built files of a project, including their names.
 *
 * @param output the folder with the files; default: `dist`
 */
export async function readBuild({ folder }: Project, output = 'dist'): Promise<string> {
  const entries = await readdir(join(folder, output), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))
  return files.map(({ name }, i) => `${name}\n${texts[i]}`).join('\n')
}
