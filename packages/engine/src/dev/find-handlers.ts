import { failure } from '../core/failure.ts'
import { findModule, findNamedModule, listModulePaths, type ModuleFile } from './find-module.ts'

/** The paths at which the handlers module is searched, relative to the root, in this order. */
const handlersPlaces: readonly string[] = ['src/mocks/handlers', 'mocks/handlers']

const example = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
]`

/** A handlers module: its path on the disk, and its name in messages. */
export type HandlersFile = ModuleFile

/**
 * Finds the handlers module of a project.
 *
 * @param root the project's root, absolute
 * @param option the option `handlers`, if it is given
 * @throws {UnderstudyError} if there is no handlers file; the message lists the searched paths
 */
export function findHandlers(root: string, option: string | undefined): HandlersFile {
  if (option !== undefined) return findNamedModule(root, option, 'find the handlers', 'handlers')
  for (const place of handlersPlaces) {
    const found = findModule(root, place)
    if (found) return found
  }
  throw failure(
    'US0121',
    'find the handlers',
    `there is no ${handlersPlaces.map((place) => `${place}.ts`).join(' and no ')} in ${root}`,
    `Create one with these lines, or set the option "handlers" to another file.\n\n${example}\n`,
  )
}

/** Returns every path at which {@link findHandlers} searches, in its order, because a file may be created there. */
export function listHandlersPaths(root: string, option: string | undefined): string[] {
  const places = option === undefined ? handlersPlaces : [option]
  return places.flatMap((place) => listModulePaths(root, place))
}
