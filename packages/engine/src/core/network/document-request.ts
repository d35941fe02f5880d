import type { IncomingRequest } from '../handlers/incoming-request.ts'
import type { RequestHandler } from '../handlers/request-handler.ts'
import { matchPath } from '../routing/match-path.ts'
import { devServerPath } from './dev-server-path.ts'

/** The paths of the app's own pages. */
export interface AppPages {
  /** The path of the app's pages, with a slash at the end. */
  readonly base: string
  /**
   * Paths that the dev server forwards to another server, so they are not pages of the app. Each is the start of a path, or
   * a regular expression if it starts with `^`, as in Vite's option `server.proxy`.
   */
  readonly forwarded: readonly string[]
  /** Whether the dev server answers documents by the handlers module. Default: `false`. */
  readonly areServed?: boolean
  /**
   * A regular expression for the URLs of files that a tool in the page requests with `fetch` from the page's origin:
   * the data of a framework's pages, or Storybook's index of stories. In Node, which has no location, the origin does not count.
   */
  readonly toolFiles?: string
}

/** The default: every path may be a page of the app. */
export const anyPath: AppPages = { base: '/', forwarded: [] }

const modes = new WeakMap<Request, RequestMode>()

/**
 * Marks a request as one for a document or for code of the app, with the mode that the browser sent. Scripts cannot construct
 * a request with the mode `navigate` or with a destination.
 */
export function markAsOfApp(request: Request, mode: RequestMode): Request {
  modes.set(request, mode)
  return request
}

/** Returns the mode of a request for a document (`navigate`) or for code of the app; `undefined` for other requests. */
export function modeOfApp(
  { fullRequest, url }: Pick<IncomingRequest, 'fullRequest' | 'url'>,
  { toolFiles }: AppPages,
): RequestMode | undefined {
  const marked = fullRequest && modes.get(fullRequest)
  if (marked) return marked
  const { origin } = globalThis.location ?? url
  const isOfTool = toolFiles && url.origin === origin && new RegExp(toolFiles).test(url.href)
  return isOfTool || devServerPath.test(url.pathname) ? 'same-origin' : undefined
}

/**
 * Returns whether a handler may answer requests for documents. A handler that matches every path may not, because it
 * would replace
 * the app's own pages. A GraphQL handler may not, because its endpoint may have a page, such as GraphiQL.
 */
export function mayAnswerDocuments(handler: RequestHandler, baseUrl: string | undefined, { base }: AppPages): boolean {
  if (handler.protocol) return false
  const { segments } = handler.route(baseUrl)
  const ofBase = base.toLowerCase().split('/')
  return (
    segments.some((segment) => segment !== null && !ofBase.includes(segment)) ||
    !matchesEveryPath(handler, baseUrl, base)
  )
}

/** Placeholder paths: a pattern that matches one of them matches every path of the same length. */
const unlikelyPaths = ['', 'u-7f3a', 'u-7f3a/u-9c1d', 'u-7f3a/u-9c1d/u-2b8e']

/**
 * Returns whether a handler matches every path, or the path `base` itself. Returns `false` if that is unknown, because a
 * function decides about each request.
 */
function matchesEveryPath(handler: RequestHandler, baseUrl: string | undefined, base: string): boolean {
  const pattern = handler.pattern(baseUrl)
  const origin = baseUrl ?? 'http://localhost'
  return (
    pattern !== undefined &&
    unlikelyPaths.some((path) =>
      [base + path, `/${path}`].some((each) => matchPath(pattern, new URL(each, origin)) !== null),
    )
  )
}

/** Returns whether a path may be a page of the app. The dev server answers with a page if it finds nothing else. */
export function mayBePage(
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  { base, forwarded }: AppPages,
): boolean {
  const path = pathname + search
  return (
    `${pathname}/`.startsWith(base) &&
    !forwarded.some((each) => (each.startsWith('^') ? new RegExp(each).test(path) : path.startsWith(each)))
  )
}

/**
 * Returns whether a handler's response answers a request for a document. An API may have the same path as a page of the
 * app, and its responses are for scripts. So if the path may be a page of the app, these responses do not answer: JSON
 * and other data without a file name, responses without a body, and errors that are not HTML.
 */
export function isDocument({ status, headers, body }: Response, url: URL, pages: AppPages): boolean {
  if (!mayBePage(url, pages)) return true
  if (status >= 300 && status < 400) return headers.has('location')
  const type = headers.get('content-type') ?? ''
  if (/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return true
  if (status >= 400 || body === null) return false
  if (/^\s*attachment\b/i.test(headers.get('content-disposition') ?? '')) return true
  // `/openapi.json` names a file, `/users/jane.doe` does not.
  if (/^[^;]*\bjson\b/i.test(type)) return /\.(?:\w*json|map|webmanifest)$/i.test(url.pathname)
  if (/^\s*text\/plain\b/i.test(type)) return /\.(?:txt|text|log|md|csv|tsv|ini|toml|ya?ml)$/i.test(url.pathname)
  return type !== '' && !/^\s*text\/event-stream\b/i.test(type)
}
