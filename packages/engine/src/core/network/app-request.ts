import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { matchPath } from '../routing/match-path.ts'
import { mayAnswerDocuments, mayBePage, type AppPages } from './document-request.ts'

/**
 * Returns whether a handler may answer a request for a document or for code of the app. For code, its path must name the
 * file, as `/remote.js` and `/chunks/*.js` do. A path that matches any file in a folder, such as `*` or `/src/api/:name`, is
 * for data, and would replace modules of the app, their hot updates, and even the handlers module.
 *
 * @param mode the mode of the request as the browser sent it; `navigate`: it is for a document
 */
export function mayAnswerApp(
  handler: RequestHandler,
  { url, baseUrl }: Pick<IncomingRequest, 'url' | 'baseUrl'>,
  mode: RequestMode,
  pages: AppPages,
): boolean {
  if (!mayAnswerDocuments(handler, baseUrl, pages)) return false
  const pattern = handler.pattern(baseUrl)
  // Handlers that match another file of the folder match all of them.
  return (
    mode === 'navigate' ||
    isData(mode, url) ||
    !pattern ||
    !mayBePage(url, pages) ||
    !matchPath(pattern, new URL('u-7f3a', url))
  )
}

/**
 * Returns whether a request for code is for data: a script or a style sheet without a file extension, as with JSONP and JSON
 * modules. Web workers have another mode. Vite's own modules, such as `/@vite/client`, have no extension either.
 */
export function isData(mode: RequestMode, { pathname }: URL): boolean {
  return mode.endsWith('cors') && !/\.[^/]*$|\/@/.test(pathname)
}
