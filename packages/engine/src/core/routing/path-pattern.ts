import type { Token } from 'path-to-regexp'

import { failure } from '../failure.ts'
import { beginsSegment, encodeLiteral, isWithinSegment, readPathTokens } from './path-tokens.ts'
import { anyRoute, normalizeSegment, splitPath, type Route } from './route.ts'

/** A path string or a RegExp that is tested against the URL without its query and hash. */
export type Path = string | RegExp

/**
 * Parameters of a path: text, or a list if the parameter repeats (`:name+`, `:name*`). The object has no prototype,
 * because a parameter may be named `__proto__`.
 */
export type MatchedParams = Record<string, string | string[]>

/** A parsed path. `matchPath` matches a URL against it. */
export interface PathPattern {
  /** The URL against which it was parsed. */
  readonly baseUrl: string | undefined
  readonly route: Route
  readonly source: RegExp | PathSource
  /** Created by `matchPath` for the first URL. */
  matcher: ((url: URL) => MatchedParams | null) | undefined
}

/** What a path string matches. */
export interface PathSource {
  /** The whole path, as the developer wrote it. */
  readonly path: string
  /** The origin in the form of `URL.origin`; `null`: any, or one that the tokens match. */
  readonly origin: string | null
  /** Whether the tokens match the origin and the path together, as one text. */
  readonly isOriginMatched: boolean
  readonly tokens: readonly Token[]
}

/**
 * Parses a path string. A relative path is resolved against `baseUrl`.
 *
 * @param baseUrl absolute URL. Without it, a relative path matches on any origin
 * @throws {UnderstudyError} if the path is not valid. The message contains the invalid part
 */
export function parsePathPattern(path: string, baseUrl: string | undefined): PathPattern {
  const { origin, pathname } = splitPattern(stripSearch(path), baseUrl, path)
  const literalOrigin = origin === null ? null : readLiteralOrigin(origin)
  const pathTokens = readPathTokens(pathname, path)
  // If the origin is a pattern, or the path begins with `*`, origin and path are matched together, as one text.
  const isOriginMatched = literalOrigin === null && (origin !== null || pathname.startsWith('*'))
  const tokens = nameWildcards(
    isOriginMatched ? [...readPathTokens(escapePorts(origin ?? ''), path), ...pathTokens] : pathTokens,
  )
  // A wildcard in the origin may reach into the path.
  const shape = isOriginMatched && origin?.includes('*') ? anyShape : readShape(pathTokens)
  const exact = shape.exact && (literalOrigin !== null || origin === null)
  return {
    baseUrl,
    route: { methods: null, origin: literalOrigin, ...shape, exact },
    source: { path, origin: literalOrigin, isOriginMatched, tokens },
    matcher: undefined,
  }
}

/** Patterns of path strings. Tests create handlers for the same paths again and again. */
const known = new Map<string, PathPattern>()

/** Parses a path string or a RegExp into a pattern. */
export function toPathPattern(path: Path, baseUrl: string | undefined): PathPattern {
  if (typeof path !== 'string') return { baseUrl, route: anyRoute, source: path, matcher: undefined }
  const key = `${baseUrl} ${path}`
  const pattern = known.get(key) ?? parsePathPattern(path, baseUrl)
  // Paths may contain data, so do not keep all of them.
  if (known.size > 999) known.clear()
  known.set(key, pattern)
  return pattern
}

/**
 * Returns a function that parses the path once for each base URL. Usually there is only one.
 *
 * @param firstBaseUrl the path is parsed against it at once, so that an invalid path is reported when a handler is created
 * @throws {UnderstudyError} if the path is not valid
 */
export function createPatternReader(
  path: Path,
  firstBaseUrl: string | undefined,
): (baseUrl: string | undefined) => PathPattern {
  let last = toPathPattern(path, firstBaseUrl)
  return (baseUrl) => (last.baseUrl === baseUrl ? last : (last = toPathPattern(path, baseUrl)))
}

/** Returns the part of a path after `?` or `#`, if there is one. The `?` of an optional parameter does not count. */
export function searchOf(path: string): string {
  const start = searchStart(path)
  return start === -1 ? '' : path.slice(start)
}

function stripSearch(path: string): string {
  const start = searchStart(path)
  return start === -1 ? path : path.slice(0, start)
}

function searchStart(path: string): number {
  let depth = 0
  for (let index = 0; index < path.length; index += 1) {
    const character = path[index]
    if (character === '\\') index += 1
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (character === '#' && depth === 0) return index
    else if (character === '?' && depth === 0 && !isOptionalMark(path, index)) return index
  }
  return -1
}

/**
 * Returns whether a `?` marks a parameter or a group as optional: it follows one directly, and no query (`a=`) comes
 * after it.
 */
function isOptionalMark(path: string, index: number): boolean {
  // At the end of the path, the next character is the empty text, which each text includes.
  return /(?::\w+|[)}])$/.test(path.slice(0, index)) && '/.-?#:*{(}\\'.includes(path.charAt(index + 1))
}

const schemePattern = /^[a-z*][a-z\d+.*-]*:\/\//i

function splitPattern(
  path: string,
  baseUrl: string | undefined,
  original: string,
): { origin: string | null; pathname: string } {
  if (schemePattern.test(path)) return splitAfterHost(path, path.indexOf('://') + 3)
  if (path.startsWith('//')) return splitAfterHost(`*:${path}`, 4)
  if (path.startsWith('*')) return { origin: null, pathname: path }
  if (baseUrl === undefined) {
    return { origin: null, pathname: isRooted(path) ? path : `/${path.replace(/^\.\//, '')}` }
  }
  let base: URL
  try {
    base = new URL(baseUrl)
  } catch (cause) {
    throw failure(
      'US0111',
      `read the path "${original}"`,
      `the base URL "${baseUrl}" is not absolute`,
      'Pass an absolute URL, such as "https://example.com".',
      { cause },
    )
  }
  const origin = base.origin === 'null' ? null : base.origin
  if (isRooted(path)) return { origin, pathname: path }
  // A path without a leading slash is relative to the folder of the base, as in a link.
  const folder = escapeSyntax(base.pathname.replace(/[^/]*$/, ''))
  let pathname = folder + path.replace(/^\.\//, '')
  while (/(?:^|\/)\.\.\//.test(pathname)) pathname = pathname.replace(/(?:[^/]+)?\/?\.\.\//, '')
  return { origin, pathname: pathname.startsWith('/') ? pathname : `/${pathname}` }
}

/** Returns whether a path begins with a slash, which may be in a group (`{/login}?`) or escaped. */
function isRooted(path: string): boolean {
  return /^[{\\]?\//.test(path)
}

/** Escapes the text of a URL, so that it matches only itself as a path. */
function escapeSyntax(text: string): string {
  return text.replace(/[:*()]/g, '\\$&')
}

function splitAfterHost(path: string, hostStart: number): { origin: string; pathname: string } {
  const slash = path.indexOf('/', hostStart)
  return slash === -1
    ? // In `https://example.com*` and `https://*`, the wildcard also matches the path.
      { origin: path, pathname: path.endsWith('*') ? '' : '/' }
    : { origin: path.slice(0, slash), pathname: path.slice(slash) }
}

/** Returns a literal origin in the form of `URL.origin` (without default ports), or `null` if it is a pattern. */
function readLiteralOrigin(origin: string): string | null {
  // The colons of an IPv6 address do not begin parameters.
  const text = origin.replace(/\[[\da-f:.]+\]/i, '')
  if (/[*(){}\\]|:(?!\/\/|\d+$)/.test(text)) return null
  try {
    const parsed = new URL(origin)
    return parsed.origin === 'null' ? null : parsed.origin
  } catch {
    return null
  }
}

/** In an origin, a colon before `//` or digits does not begin a parameter. */
function escapePorts(origin: string): string {
  return origin.replace(/:(?=\/\/|\d+$)/g, '\\:')
}

/** Numbers the wildcards from 0, in their order. */
function nameWildcards(tokens: readonly Token[]): Token[] {
  let next = 0
  return tokens.map((token) =>
    typeof token !== 'string' && token.name === '' && token.pattern !== '' ? { ...token, name: next++ } : token,
  )
}

const anyShape: Shape = { segments: [], open: true, exact: false }

type Shape = Pick<Route, 'segments' | 'open' | 'exact'>

/**
 * Returns the conservative shape: literal segments and parameters that are a whole segment, up to the first part that
 * may span several segments.
 */
function readShape(tokens: readonly Token[]): Shape {
  // Stands for any text within a segment. No URL path contains this character.
  const someText = '\u0000'
  let text = ''
  let open = false
  let exact = true
  for (const [index, token] of tokens.entries()) {
    if (typeof token === 'string') text += token
    else if (token.modifier === '' && isWithinSegment(token.pattern)) {
      text += encodeLiteral(token.prefix) + someText + token.suffix
    } else {
      open = true
      exact = token === tokens.at(-1) && token.pattern === '.*' && /^$|\/$/.test(text + token.prefix)
      // The segment before the open part is complete only if that part begins a new segment.
      if (!beginsSegment(tokens.slice(index))) text = text.slice(0, text.lastIndexOf('/') + 1)
      break
    }
  }
  const parts = splitPath(text)
  exact &&= parts.every((part) => part === someText || !part.includes(someText))
  // Segments do not show a slash at the end, or two slashes in a row.
  if (/\/\//.test(text) || (!open && /.\/$/.test(text))) exact = false
  const segments = parts.map((part) => (part.includes(someText) ? null : normalizeSegment(part)))
  return { segments, open, exact }
}
