import { formatCallSite } from '../core/call-site.ts'
import { print } from '../core/failure.ts'
import { searchOf } from '../core/routing/path-pattern.ts'
import type { HttpHandler } from './http-handler.ts'

/**
 * Warns if a handler's path has a query or a hash. Both are ignored, as in MSW.
 *
 * @param adviseOn returns what the developer can do, in whole sentences
 */
export function warnOfSearch({ info }: HttpHandler, adviseOn: (path: string, search: string) => string): void {
  const { path, header } = info
  const search = typeof path === 'string' ? searchOf(path) : ''
  if (typeof path !== 'string' || search === '') return
  // Read it only here, because it formats a stack.
  const { callSite } = info
  const place = callSite ? ` (${formatCallSite(callSite)})` : ''
  print.warn(
    'US0115',
    `The handler ${header}${place} has "${search}" in its path, which is ignored. ` +
      adviseOn(path.slice(0, -search.length), search),
  )
}
