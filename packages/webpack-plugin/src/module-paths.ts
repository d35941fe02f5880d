/**
 * Returns a path in the form in which paths are compared. Of one file of Windows, compilers,
 * Node and the options have different paths: with slashes of both kinds, and with `c:` or `C:`.
 */
function toComparable(path: string): string {
  if (!/^(?:[a-z]:[\\/]|\\\\)/i.test(path)) return path
  return path.replaceAll('\\', '/').replace(/^[a-z]:/i, (drive) => drive.toLowerCase())
}

/** Returns whether a module's resource, which may have a query, is one of the files. */
export function isOneOf(resource: string, files: readonly string[]): boolean {
  const module = toComparable(resource)
  return files.map(toComparable).some((file) => module === file || module.startsWith(`${file}?`))
}

/** Returns whether a module's resource is in the folder of a file, or in a folder below it. */
export function isBeside(resource: string, file: string): boolean {
  const path = toComparable(file)
  return toComparable(resource).startsWith(path.slice(0, path.lastIndexOf('/') + 1))
}
