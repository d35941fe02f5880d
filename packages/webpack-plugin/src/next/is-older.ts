import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Returns whether the version of Next that an app uses is older than another.
 *
 * @param root the folder of the app
 * @param than such as `'16.4'`
 */
export function isOlder(root: string, than: string): boolean {
  const { version } = createRequire(join(root, 'package.json'))('next/package.json') as { version: string }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = than.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}
