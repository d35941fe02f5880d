import { nameHandler, printLater } from '../core/call-site.ts'
import { print } from '../core/failure.ts'
import { searchOf } from '../core/routing/path-pattern.ts'
import type { HttpHandler } from './http-handler.ts'

/**
 * Warns if a handler's path has a query or a hash. Both are ignored, as in MSW.
 *
 * @param adviseOn returns what the developer can do, in whole sentences
 */
export function warnOfSearch(handler: HttpHandler, adviseOn: (path: string, search: string) => string): void {
  const { path } = handler.info
  const search = typeof path === 'string' ? searchOf(path) : ''
  if (typeof path !== 'string' || search === '') return
  printLater(() =>
    print.warn(
      'US0115',
      `The handler ${nameHandler(handler)} has "${search}" in its path, which is ignored. ` +
        adviseOn(path.slice(0, -search.length), search),
    ),
  )
}
