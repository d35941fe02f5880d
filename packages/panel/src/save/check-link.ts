import { realpath } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'

import { findRepository, isWithin } from './repository.ts'

/**
 * Checks the target of a handlers file that is a symbolic link, or is in a linked folder. A link may lead to another
 * package of the same repository.
 *
 * @throws {Error} if the target is outside the repository, or in `node_modules`
 */
export async function checkLink({ path, name }: { readonly path: string; readonly name: string }): Promise<void> {
  const real = await realpath(path).catch(() => path)
  // Of the project, not of the file: a folder with handlers may itself be a link to another repository. A file that the
  // options name outside the project has its own repository.
  const project = path.endsWith(`/${name}`) ? path.slice(0, -name.length) : dirname(path)
  const folder = await realpath(project).catch(() => project)
  const repository = await findRepository(folder)
  if (isWithin(repository, real) && !relative(repository, real).split(sep).includes('node_modules')) return
  throw new Error(
    `Failed to save the handler: ${name} is a symbolic link to a file outside the repository or in node_modules. Copy the code into your editor. (US0888)`,
  )
}
