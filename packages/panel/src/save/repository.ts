import { access, readFile } from 'node:fs/promises'
import nodePath, { dirname, join, type PlatformPath } from 'node:path'

/** Finds the repository or workspace of a folder, or else its package. */
export async function findRepository(folder: string): Promise<string> {
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

/**
 * Returns whether a path is a folder or is below it.
 *
 * @param platform the rules of paths; default: those of this system
 */
export function isWithin(folder: string, path: string, platform: PlatformPath = nodePath): boolean {
  const below = platform.relative(folder, path)
  // Between two drives of Windows, there is no relative path: the result is absolute.
  return !platform.isAbsolute(below) && below.split(platform.sep)[0] !== '..'
}
