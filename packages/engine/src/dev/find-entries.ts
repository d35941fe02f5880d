import { findNamedModule, type ModuleFile } from './find-module.ts'

/**
 * Finds the modules of the option `entry`.
 *
 * @param root the project's root, absolute
 * @throws {UnderstudyError} if an entry does not exist; the message suggests the closest file
 */
export function findEntries(root: string, option: readonly string[]): ModuleFile[] {
  return option.map((entry) => findNamedModule(root, entry, "find the app's entry", 'entry'))
}
