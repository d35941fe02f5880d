import { findNamedModule, type ModuleFile } from './find-module.ts'

/**
 * Finds the modules that the option `entry` names.
 *
 * @param root the project's root, absolute
 * @throws where one is not there, with the file that was probably meant
 */
export function findEntries(root: string, option: readonly string[]): ModuleFile[] {
  return option.map((entry) => findNamedModule(root, entry, "find the app's entry", 'entry'))
}
