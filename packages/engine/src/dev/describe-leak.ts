import { failure } from '../core/failure.ts'

/**
 * Creates the error of a build without mocks if app code imports handlers or the engine.
 *
 * @param chain the names of the modules that import one another, from an entry of the build to the module that must not
 * be in it. The engine's modules are named `@understudy/engine`.
 * @example
 * throw describeLeak(['src/main.ts', 'src/debug.ts', 'src/mocks/handlers.ts'])
 */
export function describeLeak(chain: readonly string[]): Error {
  const leaked = chain.at(-1) ?? 'a module of mocks'
  const importer = chain.at(-2)
  return failure(
    'US0801',
    'leave mocks out of the build',
    importer === undefined
      ? `${leaked} is an entry of it`
      : `${importer} imports ${leaked}${chain.length > 2 ? ` (${chain.join(' → ')})` : ''}`,
    `${importer === undefined ? 'Remove it from the entries' : 'Remove that import'}: the plugin adds mocks automatically. ` +
      'To build with mocks, set the option "enabled" to true. To get a warning instead, set "leaks" to "warn".',
  )
}
