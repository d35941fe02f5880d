import type { Key, Token } from 'path-to-regexp'

import { failure } from '../failure.ts'

const parameterName = /^[A-Za-z_$][\w$]*/

/** The pattern of a parameter without an expression. */
export const oneSegment = '[^\\/#\\?]+?'
const upToText = ')[^\\/#\\?])+?'

/**
 * Returns the pattern of a parameter after text, such as `-` in `:from-:to`. The parameter does not contain that text,
 * so that it can begin at only one position, as in path-to-regexp 6.3.
 */
function patternBehind(text: string): string {
  return text === '' || /[/#?]/.test(text)
    ? oneSegment
    : `(?:(?!${text.replace(/[.+*?=^!:${}()[\]|/\\]/g, '\\$&')}${upToText}`
}

/** Returns whether a pattern matches any text within a segment, or any text without the text before the parameter. */
export function isWithinSegment(pattern: string): boolean {
  return pattern === oneSegment || pattern.endsWith(upToText)
}

/**
 * Parses the path syntax (`:name`, `:name?`, `:name+`, `:name*`, `:name(\\d+)`, `*`, `{…}?`, `\\` escapes) into
 * path-to-regexp's tokens.
 *
 * @param original the whole path, as the developer wrote it
 * @param before the token before the text
 * @throws if the text cannot be read
 */
export function readPathTokens(text: string, original: string, before: Token = ''): Token[] {
  const tokens: Token[] = []
  let literal = ''
  let isEscaped = false
  let index = 0

  const flush = (): void => {
    if (literal !== '') tokens.push(encodeLiteral(literal))
    literal = ''
  }
  const readModifier = (): string => {
    const character = text[index]
    if (character !== undefined && '?+*'.includes(character)) {
      index += 1
      return character
    }
    return ''
  }
  const readExpression = (): string => {
    const start = index
    let depth = 0
    let isInClass = false
    for (; index < text.length; index += 1) {
      const character = text[index]
      if (character === '\\') index += 1
      else if (isInClass) isInClass = character !== ']'
      else if (character === '[') isInClass = true
      else if (character === '(') depth += 1
      else if (character === ')' && (depth -= 1) === 0) {
        index += 1
        return toInnerExpression(text.slice(start + 1, index - 1), original)
      }
    }
    throw unreadable(original, `the parenthesis at "${text.slice(start)}" is never closed`)
  }
  /**
   * The slash or dot before a parameter belongs to it, unless it is escaped: it disappears with an optional parameter.
   */
  const takePrefix = (): string => {
    const last = literal.at(-1)
    if ((last !== '/' && last !== '.') || isEscaped) return ''
    literal = literal.slice(0, -1)
    return last
  }
  const pushKey = (name: string, pattern: string | undefined, prefix: string): void => {
    flush()
    const previous = tokens.at(-1) ?? before
    const behind = prefix || (typeof previous === 'string' ? previous : '')
    tokens.push({ name, prefix, suffix: '', pattern: pattern ?? patternBehind(behind), modifier: readModifier() })
  }

  while (index < text.length) {
    const character = text[index] as string
    const name = character === ':' ? parameterName.exec(text.slice(index + 1))?.[0] : undefined
    if (character === '\\' && index + 1 < text.length) {
      literal += text[index + 1]
      index += 2
      isEscaped = true
    } else if (name !== undefined) {
      index += 1 + name.length
      const prefix = takePrefix()
      pushKey(name, text[index] === '(' ? readExpression() : undefined, prefix)
    } else if (character === '(') {
      const prefix = takePrefix()
      pushKey('', readExpression(), prefix)
    } else if (character === '*') {
      while (text[index] === '*') index += 1
      flush()
      tokens.push({ name: '', prefix: '', suffix: '', pattern: '.*', modifier: '' })
    } else if (character === '{') {
      const end = text.indexOf('}', index)
      if (end === -1) throw unreadable(original, `the brace at "${text.slice(index)}" is never closed`)
      flush()
      const group = readPathTokens(text.slice(index + 1, end), original, tokens.at(-1) ?? before)
      index = end + 1
      tokens.push(toGroup(group, readModifier(), original))
    } else {
      literal += character
      index += 1
      isEscaped = false
    }
  }
  flush()
  checkRepeats(tokens, original)
  return tokens
}

/** Converts the expression of a parameter for use inside the parameter's own parentheses. */
function toInnerExpression(text: string, original: string): string {
  if (text === '') throw unreadable(original, 'a pair of parentheses is empty')
  // `:id(?:a|b)` means the group itself.
  const expression = text.startsWith('?') ? `(${text})` : text
  // path-to-regexp counts groups by their order, so groups in the developer's expression must not capture.
  const inner = expression.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?<(?![=!])[^>]*>|(?!\?))/g, (part) =>
    part.startsWith('(') ? '(?:' : part,
  )
  // No linear algorithm matches these.
  if (/\(\?<[=!]/.test(inner)) throw unreadable(original, `"${text}" has a look-behind. Pass a RegExp`)
  if (/\\[1-9k]/.test(inner)) throw unreadable(original, `"${text}" has a back-reference. Pass a RegExp`)
  try {
    return new RegExp(inner).source
  } catch {
    throw unreadable(original, `"${text}" is not a valid regular expression`)
  }
}

/** Parses a group in braces: text, at most one parameter, text. */
function toGroup(tokens: readonly Token[], modifier: string, original: string): Key {
  const keys = tokens.filter((token) => typeof token !== 'string')
  if (keys.length > 1) throw unreadable(original, 'a group in braces contains more than one parameter')
  const [key] = keys
  if (key && key.modifier !== '') {
    throw unreadable(original, `"${key.modifier}" must come after the closing brace`)
  }
  const at = key ? tokens.indexOf(key) : tokens.length
  const textOf = (part: readonly Token[]): string => part.filter((token) => typeof token === 'string').join('')
  return {
    name: key?.name ?? '',
    pattern: key?.pattern ?? '',
    prefix: textOf(tokens.slice(0, at)) + (key?.prefix ?? ''),
    suffix: (key?.suffix ?? '') + textOf(tokens.slice(at + 1)),
    modifier,
  }
}

function checkRepeats(tokens: readonly Token[], original: string): void {
  for (const token of tokens) {
    if (typeof token === 'string' || token.pattern === '' || !['+', '*'].includes(token.modifier)) continue
    if (token.prefix + token.suffix === '') {
      throw unreadable(original, `the parameter "${token.name}" repeats, but nothing separates its values`)
    }
  }
}

function unreadable(path: string, reason: string): Error {
  return failure('US0109', `read the path "${path}"`, reason, 'See the path syntax in the documentation of `http`.')
}

/**
 * Percent-encodes a literal of a pattern as the platform encodes URLs, because developers write patterns without
 * encoding.
 */
export function encodeLiteral(text: string): string {
  return text.replace(/[^\w\-.~!$&'()*+,;=:@/%?#\\]+/g, (part) => new URL(`http://a/${part}.`).pathname.slice(1, -1))
}

/** Returns whether the text of tokens begins with a slash, if there is text. */
export function beginsSegment([token, ...rest]: readonly Token[]): boolean {
  if (token === undefined) return true
  if (typeof token === 'string') return token.startsWith('/')
  return token.prefix.startsWith('/') && (!['?', '*'].includes(token.modifier) || beginsSegment(rest))
}
