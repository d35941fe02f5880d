import { failure } from '../core/failure.ts'

/** The oldest version of Node that has all functions that the packages use, such as `Promise.withResolvers`. */
const oldest = { major: 22, minor: 12 }

/**
 * Checks that this process runs on a version of Node that the packages support. Bun and Deno report the version of Node
 * that they resemble, and are not checked.
 *
 * @param operation the operation that needs Node: `'load @understudy/engine'`
 * @throws {UnderstudyError} on Node before 22.12
 */
export function checkNodeVersion(
  operation: string,
  versions: NodeJS.ProcessVersions | undefined = ownVersions(),
): void {
  if (!versions?.node || versions['bun'] || versions['deno']) return
  const [major = 0, minor = 0] = versions.node.split('.').map(Number)
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return
  throw failure(
    'US0410',
    operation,
    `Node ${versions.node} is too old`,
    `Use Node ${oldest.major}.${oldest.minor} or later.`,
  )
}

/** Bundled code may run where there is no `process`. */
function ownVersions(): NodeJS.ProcessVersions | undefined {
  return (globalThis as { process?: NodeJS.Process }).process?.versions
}
