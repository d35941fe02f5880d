import type { Key, Token } from 'path-to-regexp'

import { beginsSegment, isWithinSegment, oneSegment } from './path-tokens.ts'

/** Expressions that match within a segment in only one way: a class with a quantifier, or a choice of words. */
const simpleExpression =
  /^(?:(?:\\[dw]|\[(?:\\[dw]|[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\w)*-?\])(?:[*+]?|\{\d+(?:,\d*)?\})\??|[\w-]+(?:\|[\w-]+)*)$/
const maximumOptionals = 3

/**
 * Returns whether the platform's backtracking matcher takes linear time for the expression of these tokens. It does if
 * every part can end at only one position: a parameter ends at a slash, and at most one part spans slashes, unless it
 * is the last. May return `false` for an expression that is linear.
 */
export function isLinear(tokens: readonly Token[]): boolean {
  let optionals = 0
  let spans = 0
  return tokens.every((token, index) => {
    if (typeof token === 'string') return true
    const rest = tokens.slice(index + 1)
    if (token.modifier === '?' || token.modifier === '*') optionals += 1
    if (optionals > maximumOptionals) return false
    if (token.pattern === '' && !isRepeated(token)) return true
    if (token.pattern === '.*' ? token.modifier !== '' : !endsInOnePlace(token, rest)) return false
    if (token.pattern !== '.*' && !isRepeated(token)) return true
    if (token.suffix !== '') return false
    if (rest.length === 0) return true
    spans += 1
    return spans === 1 && isAnchored(rest)
  })
}

function isRepeated({ modifier }: Key): boolean {
  return modifier === '+' || modifier === '*'
}

function endsInOnePlace({ pattern, prefix, suffix, modifier }: Key, rest: readonly Token[]): boolean {
  if (!isWithinSegment(pattern) && !simpleExpression.test(pattern)) return false
  // A repeated parameter can be followed by itself.
  if ((modifier === '+' || modifier === '*') && !(suffix + prefix).startsWith('/')) return false
  if (suffix !== '') return suffix.startsWith('/')
  return beginsSegment(rest) || (pattern === oneSegment && isNameAndExtension(rest))
}

/**
 * Returns whether one more parameter ends the segment, as in `:name.:extension`. That parameter does not contain the
 * text before it.
 */
function isNameAndExtension(rest: readonly Token[]): boolean {
  const at = typeof rest[0] === 'string' ? 1 : 0
  const next = rest[at]
  return (
    typeof next === 'object' &&
    next.pattern !== oneSegment &&
    isWithinSegment(next.pattern) &&
    next.modifier + next.suffix === '' &&
    beginsSegment(rest.slice(at + 1))
  )
}

/** Returns whether the text after a span can begin only at slashes, or has a fixed length. */
function isAnchored(rest: readonly Token[]): boolean {
  const [next] = rest
  return (
    rest.every((token) => typeof token === 'string') ||
    (typeof next === 'string' && next.includes('/')) ||
    beginsSegment(rest)
  )
}
