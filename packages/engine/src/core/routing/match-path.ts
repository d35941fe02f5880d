import { tokensToRegexp, type Key, type Token } from 'path-to-regexp'

import { createLinearMatcher, type Exec } from './linear-matcher.ts'
import type { MatchedParams, PathPattern, PathSource } from './path-pattern.ts'
import { decodeOrKeep } from './route.ts'

/**
 * Matches a URL against a path, in linear time if the path is not a RegExp. Code that creates handlers does not import
 * this module, so that pages load it with the code that decides about requests.
 *
 * @returns the parameters, or `null` if the URL does not match
 * @throws {UnderstudyError} if the path contains an expression that is too large
 */
export function matchPath(pattern: PathPattern, url: URL): MatchedParams | null {
  const { source } = pattern
  pattern.matcher ??= source instanceof RegExp ? (subject) => matchExpression(source, subject) : createMatcher(source)
  return pattern.matcher(url)
}

function matchExpression(expression: RegExp, url: URL): MatchedParams | null {
  // Remove the flags `g` and `y`: with them, a match would start where the previous one ended.
  expression.lastIndex = 0
  const found = expression.exec(originOf(url) + url.pathname)
  if (!found) return null
  const params = Object.create(null) as MatchedParams
  for (const [index, text] of found.slice(1).entries()) {
    if (text !== undefined) params[index] = text
  }
  for (const [name, text] of Object.entries(found.groups ?? {})) {
    if (text !== undefined) params[name] = text
  }
  return params
}

function createMatcher({ path, origin, isOriginMatched, tokens }: PathSource): (url: URL) => MatchedParams | null {
  const keys: Key[] = []
  let exec: Exec | undefined
  return (url) => {
    if (origin !== null && url.origin !== origin) return null
    exec ??= createExec(tokens, keys, path)
    const found = exec(isOriginMatched ? originOf(url) + url.pathname : url.pathname)
    return found && readParams(found, keys)
  }
}

function createExec(tokens: readonly Token[], keys: Key[], path: string): Exec {
  const regexp = tokensToRegexp([...tokens], keys, { delimiter: '/#?' })
  return createLinearMatcher(regexp, tokens, path) ?? ((subject) => regexp.exec(subject))
}

function originOf(url: URL): string {
  return `${url.protocol}//${url.host}`
}

function readParams(found: readonly (string | undefined)[], keys: readonly Key[]): MatchedParams {
  // `Object.create(null)` creates a dictionary, which takes three times as much memory for each request that waits.
  const params = Object.setPrototypeOf({}, null) as MatchedParams
  keys.forEach((key, index) => {
    const text = found[index + 1]
    const separator = key.prefix + key.suffix
    // For an optional group that matches nothing, RegExp returns `undefined`, and the linear matcher returns the empty
    // text.
    if (text === undefined || (text === '' && separator === '' && key.modifier === '?')) return
    const isRepeated = key.modifier === '+' || key.modifier === '*'
    params[key.name] = isRepeated
      ? (separator === '' ? [text] : text.split(separator)).map(decodeOrKeep)
      : decodeOrKeep(text)
  })
  return params
}
