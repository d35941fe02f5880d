import { createLinearMatcher } from './linear-matcher.ts'
import { pageUrl } from './page-url.ts'
import { matchPathsLinearly, parsePathPattern, type MatchedParams, type PathPattern } from './path-pattern.ts'
import { anyRoute } from './route.ts'

/** A path string or a RegExp that is tested against the URL without its query and hash. */
export type Path = string | RegExp

/** What {@link matchRequestUrl} returns. */
export interface Match {
  matches: boolean
  params: MatchedParams
}

/**
 * Matches a URL against a path.
 *
 * @param baseUrl what a relative path is relative to; default: `location.href` where there is one, else any origin
 * @example
 * matchRequestUrl(new URL('https://example.com/user/5'), '*\/user/:id') // { matches: true, params: { 0: 'https://example.com', id: '5' } }
 */
export function matchRequestUrl(url: URL, path: Path, baseUrl: string | undefined = pageUrl()): Match {
  matchPathsLinearly(createLinearMatcher)
  const params = toPathPattern(path, baseUrl).match(url)
  return { matches: params !== null, params: params ?? (Object.create(null) as MatchedParams) }
}

/** Reads a path string or a RegExp into a pattern. */
export function toPathPattern(path: Path, baseUrl: string | undefined): PathPattern {
  return typeof path === 'string' ? parsePathPattern(path, baseUrl) : toRegExpPattern(path)
}

function toRegExpPattern(expression: RegExp): PathPattern {
  return {
    route: anyRoute,
    match(url) {
      // A `g` or `y` flag would let one request move the start of the next.
      expression.lastIndex = 0
      const found = expression.exec(`${url.protocol}//${url.host}${url.pathname}`)
      if (!found) return null
      const params = Object.create(null) as MatchedParams
      for (const [index, text] of found.slice(1).entries()) {
        if (text !== undefined) params[index] = text
      }
      for (const [name, text] of Object.entries(found.groups ?? {})) {
        if (text !== undefined) params[name] = text
      }
      return params
    },
  }
}
