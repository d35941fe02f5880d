import { access, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/**
 * Checks the target of a handlers file that is a symbolic link, or is in a linked folder. A link may lead to another
 * package of the same repository.
 *
 * @throws {Error} if the target is outside the repository, or in `node_modules`
 */
export async function checkLink({ path, name }: { readonly path: string; readonly name: string }): Promise<void> {
  const real = await realpath(path).catch(() => path)
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  const inRepository = relative(await findRepository(folder), real)
  const isInside = inRepository.split(sep)[0] !== '..'
  if (isInside && !inRepository.split(sep).includes('node_modules')) return
  throw new Error(
    `Failed to save the handler: ${name} is a symbolic link to a file outside the repository or in node_modules. Copy the code into your editor. (US0888)`,
  )
}

/** Finds the repository or workspace of a folder, or else its package. */
async function findRepository(folder: string): Promise<string> {
  let nearest: string | undefined
  for (let each = folder; ; each = dirname(each)) {
    const text = await readFile(join(each, 'package.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) nearest ??= each
    if (/"workspaces"\s*:/.test(text ?? '')) return each
    for (const file of ['.git', 'pnpm-workspace.yaml']) {
      const exists = await access(join(each, file)).then(
        () => true,
        () => false,
      )
      if (exists) return each
    }
    if (each === dirname(each)) return nearest ?? folder
  }
}
