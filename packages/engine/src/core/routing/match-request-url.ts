import { matchPath } from './match-path.ts'
import { pageUrl } from './page-url.ts'
import { type MatchedParams, type Path, toPathPattern } from './path-pattern.ts'

/** What {@link matchRequestUrl} returns. */
export interface Match {
  matches: boolean
  /** A type without a name: declaration files that TypeScript writes for users cannot name an internal one. */
  params: Record<string, string | string[]>
}

/**
 * Matches a URL against a path.
 *
 * @param baseUrl the base of a relative path; default: `location.href` if it exists, otherwise any origin
 * @example
 * matchRequestUrl(new URL('https://example.com/user/5'), '*\/user/:id') // { matches: true, params: { 0: 'https://example.com', id: '5' } }
 */
export function matchRequestUrl(url: URL, path: Path, baseUrl: string | undefined = pageUrl()): Match {
  const params = matchPath(toPathPattern(path, baseUrl), url)
  return { matches: params !== null, params: params ?? (Object.create(null) as MatchedParams) }
}
