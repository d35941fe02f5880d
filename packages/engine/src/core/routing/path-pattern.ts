import { tokensToRegexp, type Key, type Token } from 'path-to-regexp'

import { failure } from '../failure.ts'
import { beginsSegment, encodeLiteral, isWithinSegment, readPathTokens } from './path-tokens.ts'
import { anyRoute, decodeOrKeep, normalizeSegment, splitPath, type Route } from './route.ts'

/** A path string or a RegExp that is tested against the URL without its query and hash. */
export type Path = string | RegExp

/**
 * Parameters of a path: text, or a list where the parameter repeats (`:name+`, `:name*`).
 * Without a prototype: a parameter may be named `__proto__`.
 */
export type MatchedParams = Record<string, string | string[]>

/** A path, read once. */
export interface PathPattern {
  readonly route: Route
  /** The parameters, or `null` where the URL does not match. */
  match(url: URL): MatchedParams | null
}

/**
 * Reads a path of the developer's (see API.md, "path strings"), resolved against `baseUrl` where it is relative.
 *
 * @param baseUrl absolute URL; without one, a relative path matches on any origin
 * @throws if the path cannot be read, with the place in it
 */
export function parsePathPattern(path: string, baseUrl: string | undefined): PathPattern {
  const { origin, pathname } = splitPattern(stripSearch(path), baseUrl, path)
  const literalOrigin = origin === null ? null : readLiteralOrigin(origin)
  const pathTokens = readPathTokens(pathname, path)
  // An origin that is a pattern is matched together with the path, as one text; so is a path that begins with `*`.
  const isOriginMatched = literalOrigin === null && (origin !== null || pathname.startsWith('*'))
  const tokens = nameWildcards(
    isOriginMatched ? [...readPathTokens(escapePorts(origin ?? ''), path), ...pathTokens] : pathTokens,
  )
  // A wildcard in the origin may reach into the path.
  const shape = isOriginMatched && origin?.includes('*') ? anyShape : readShape(pathTokens)
  const exact = shape.exact && (literalOrigin !== null || origin === null)
  let matcher: Matcher | undefined

  return {
    route: { methods: null, origin: literalOrigin, ...shape, exact },
    match(url) {
      if (literalOrigin !== null && url.origin !== literalOrigin) return null
      matcher ??= createMatcher(tokens, path)
      return matcher(isOriginMatched ? originOf(url) + url.pathname : url.pathname)
    },
  }
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

type Matcher = (subject: string) => MatchedParams | null

/** Matches as `RegExp.exec` does. */
export type Exec = (subject: string) => readonly (string | undefined)[] | null

/** Returns a matcher for an expression that could take the platform more than linear time; for others, `null`. */
export type LinearMatcherFactory = (regexp: RegExp, tokens: readonly Token[], path: string) => Exec | null

let createLinearMatcher: LinearMatcherFactory | undefined

/**
 * Lets paths be matched in linear time from now on. What decides about requests calls it: a page loads that later than its
 * handlers, whose bundle stays small.
 */
export function matchPathsLinearly(factory: LinearMatcherFactory): void {
  createLinearMatcher = factory
}

function createMatcher(tokens: readonly Token[], path: string): Matcher {
  const keys: Key[] = []
  const regexp = tokensToRegexp([...tokens], keys, { delimiter: '/#?' })
  const exec = createLinearMatcher?.(regexp, tokens, path) ?? ((subject) => regexp.exec(subject))
  return (subject) => {
    const found = exec(subject)
    return found && readParams(found, keys)
  }
}

/** The part of a path after `?` or `#`, if any. The `?` that marks an optional parameter does not count. */
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

/** `?` marks a parameter or a group as optional where one stands right before it and no query (`a=`) follows. */
function isOptionalMark(path: string, index: number): boolean {
  const before = path.slice(0, index)
  const after = path[index + 1]
  return /(?::\w+|\)|\})$/.test(before) && (after === undefined || '/.-?#:*{(}\\'.includes(after))
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
  // A path without a slash is relative to the folder of the base, as a link would be.
  const folder = escapeSyntax(base.pathname.replace(/[^/]*$/, ''))
  let pathname = folder + path.replace(/^\.\//, '')
  while (/(?:^|\/)\.\.\//.test(pathname)) pathname = pathname.replace(/(?:[^/]+)?\/?\.\.\//, '')
  return { origin, pathname: pathname.startsWith('/') ? pathname : `/${pathname}` }
}

/** Whether a path begins with a slash, be it in a group (`{/login}?`) or escaped. */
function isRooted(path: string): boolean {
  return /^[{\\]?\//.test(path)
}

/** Text of a URL, as a path that matches nothing else. */
function escapeSyntax(text: string): string {
  return text.replace(/[:*()]/g, '\\$&')
}

function splitAfterHost(path: string, hostStart: number): { origin: string; pathname: string } {
  const slash = path.indexOf('/', hostStart)
  return slash === -1
    ? // `https://example.com*` and `https://*` go on into the path.
      path.endsWith('*')
      ? { origin: path, pathname: '' }
      : { origin: path, pathname: '/' }
    : { origin: path.slice(0, slash), pathname: path.slice(slash) }
}

/** A literal origin in the spelling of `URL.origin` (default ports left out), or `null` where it is a pattern. */
function readLiteralOrigin(origin: string): string | null {
  // The colons of an IPv6 address name no parameters.
  const text = origin.replace(/\[[\da-f:.]+\]/i, '')
  if (/[*(){}\\]|:(?!\/\/|\d+$)/.test(text)) return null
  try {
    const parsed = new URL(origin)
    return parsed.origin === 'null' ? null : parsed.origin
  } catch {
    return null
  }
}

function originOf(url: URL): string {
  return `${url.protocol}//${url.host}`
}

/** In an origin, a colon before `//` or digits is punctuation. */
function escapePorts(origin: string): string {
  return origin.replace(/:(?=\/\/|\d+$)/g, '\\:')
}

/** Wildcards are numbered from 0, in the order in which they stand. */
function nameWildcards(tokens: readonly Token[]): Token[] {
  let next = 0
  return tokens.map((token) =>
    typeof token !== 'string' && token.name === '' && token.pattern !== '' ? { ...token, name: next++ } : token,
  )
}

const anyShape: Shape = { segments: [], open: true, exact: false }

type Shape = Pick<Route, 'segments' | 'open' | 'exact'>

/** The conservative shape: literal segments and whole-segment parameters, up to the first thing that may span more. */
function readShape(tokens: readonly Token[]): Shape {
  // A stand-in for "some text within this segment", which no URL path contains.
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
      // The segment before the open part is whole only where that part begins a new one.
      if (!beginsSegment(tokens.slice(index))) text = text.slice(0, text.lastIndexOf('/') + 1)
      break
    }
  }
  const parts = splitPath(text)
  exact &&= parts.every((part) => part === someText || !part.includes(someText))
  // Segments say nothing of a slash at the end, nor of two of them.
  if (/\/\//.test(text) || (!open && /.\/$/.test(text))) exact = false
  const segments = parts.map((part) => (part.includes(someText) ? null : normalizeSegment(part)))
  return { segments, open, exact }
}

function readParams(found: readonly (string | undefined)[], keys: readonly Key[]): MatchedParams {
  const params = Object.create(null) as MatchedParams
  keys.forEach((key, index) => {
    const text = found[index + 1]
    const separator = key.prefix + key.suffix
    // RegExp leaves an optional group out that would match nothing; the linear matcher gives it the empty text.
    if (text === undefined || (text === '' && separator === '' && key.modifier === '?')) return
    const isRepeated = key.modifier === '+' || key.modifier === '*'
    params[key.name] = isRepeated
      ? (separator === '' ? [text] : text.split(separator)).map(decodeOrKeep)
      : decodeOrKeep(text)
  })
  return params
}
