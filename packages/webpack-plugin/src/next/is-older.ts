import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Returns whether the version of Next that an app uses is older than another. An unknown version is not older.
 *
 * @param root the folder of the app
 * @param than such as `'16.4'`
 */
export function isOlder(root: string, than: string): boolean {
  // If the configuration comes from a shared package, the root may be the working directory, where Next is not installed.
  const version =
    readVersion(() => join(root, 'package.json')) ?? readVersion(() => realpathSync(process.argv[1] ?? ''))
  if (version === undefined) return false
  const [major = 0, minor = 0, patch = ''] = version.split('.')
  const [otherMajor = 0, otherMinor = 0] = than.split('.')
  // A canary version may come before the change that the version without a suffix contains.
  const order = Number(major) - Number(otherMajor) || Number(minor) - Number(otherMinor)
  return order < 0 || (order === 0 && patch.startsWith('0-'))
}

/** Reads the version of the Next that a file would import. */
function readVersion(locate: () => string): string | undefined {
  try {
    return (createRequire(locate())('next/package.json') as { version: string }).version
  } catch {
    return undefined
  }
}
