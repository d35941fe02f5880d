import fc from 'fast-check'
import { match, parse, pathToRegexp } from 'path-to-regexp'
import { describe, expect, it } from 'vitest'

import { fuzzSettings } from '../../testing/fuzz-settings.ts'
import { compileExpression, UnsupportedExpression, type Program } from './expression-program.ts'
import { matchLinearly } from './match-linearly.ts'
import { matchPath } from './match-path.ts'
import corpus from './path-pattern.corpus.json' with { type: 'json' }
import { parsePathPattern } from './path-pattern.ts'
import { decodeOrKeep } from './route.ts'

const base = 'https://app.test/shop/cart'

interface Source {
  readonly source: string
  /** Whether it may match without consuming text. */
  readonly isNullable: boolean
}

/**
 * Generates regular expressions with every part of the syntax that paths may contain. Loops over expressions that can match
 * an empty text are excluded: RegExp and this matcher end them differently, so that groups may differ. The same texts match.
 */
function expressions(withNullableLoops: boolean): fc.Arbitrary<string> {
  const fixed = (isNullable: boolean, ...sources: string[]): fc.Arbitrary<Source> =>
    fc.constantFrom(...sources).map((source) => ({ source, isNullable }))
  const { whole } = fc.letrec<{ whole: Source; sequence: Source; term: Source; atom: Source; look: Source }>((tie) => ({
    whole: fc.oneof(
      { weight: 4, arbitrary: tie('sequence') },
      fc.tuple(tie('sequence'), tie('whole')).map(([a, b]) => ({
        source: `${a.source}|${b.source}`,
        isNullable: a.isNullable || b.isNullable,
      })),
    ),
    sequence: fc
      .array(fc.oneof({ weight: 6, arbitrary: tie('term') }, tie('look')), { minLength: 1, maxLength: 3 })
      .map((terms) => ({
        source: terms.map(({ source }) => source).join(''),
        isNullable: terms.every(({ isNullable }) => isNullable),
      })),
    term: fc
      .tuple(
        tie('atom'),
        fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,}', '{1,}?', '{0,3}?'),
      )
      .map(([{ source, isNullable }, quantifier]) => {
        if (isNullable && !withNullableLoops && /[*+,]/.test(quantifier)) return { source, isNullable }
        return { source: source + quantifier, isNullable: isNullable || /^[*?]|^\{0/.test(quantifier) }
      }),
    atom: fc.oneof(
      {
        weight: 4,
        arbitrary: fixed(false, 'a', 'b', '/', '.', '-', '[ab]', '[^/]', '[^a]', '\\d', '\\w', '\\W', '\\.', '[\\w-]'),
      },
      fixed(false, '\\x61', '\\u0062', '[^]', '[]', '[a-c/]', 'A', '\\-', '\\/'),
      tie('whole').map(({ source, isNullable }) => ({ source: `(?:${source})`, isNullable })),
    ),
    look: fc.oneof(
      fixed(true, '^', '$', '\\b', '\\B'),
      fc
        .tuple(fc.constantFrom('(?=', '(?!'), tie('whole'))
        .map(([open, { source }]) => ({ source: `${open}${source})`, isNullable: true })),
    ),
  }))
  return whole.map(({ source }) => source)
}

const text = fc
  .array(fc.constantFrom('a', 'b', 'A', '/', '.', '-', '1', 'c', '_', 'é', '//'), { maxLength: 12 })
  .map((parts) => parts.join(''))

describe('the linear matcher', () => {
  it('finds the same match and groups as RegExp', () => {
    fc.assert(
      fc.property(
        expressions(false),
        expressions(false),
        text,
        fc.constantFrom('', 'i'),
        (first, second, subject, flags) => {
          const regexp = new RegExp(`^(${first})(?:/(${second}))?$`, flags)
          const found = regexp.exec(subject)
          expect(matchLinearly(compileExpression(regexp), subject)).toEqual(found && [...found])
        },
      ),
      fuzzSettings(corpus.expressions as [string, string, string, 'i'][], 5_000),
    )
  })

  it('matches the same texts as RegExp, including loops that can match an empty text', () => {
    fc.assert(
      fc.property(expressions(true), text, (source, subject) => {
        const regexp = new RegExp(`^(?:${source})$`)
        const program = compileOrRefuse(regexp)
        fc.pre(program !== undefined)
        expect(matchLinearly(program, subject) !== null).toBe(regexp.test(subject))
      }),
      fuzzSettings(corpus.loops as [string, string][], 5_000),
    )
  })
})

/** @returns undefined for a refused lookahead: one that repeats an expression that can match an empty text */
function compileOrRefuse(regexp: RegExp): Program | undefined {
  try {
    return compileExpression(regexp)
  } catch (error) {
    const isRefused = error instanceof UnsupportedExpression && error.message.startsWith('a lookahead in it repeats')
    if (isRefused) return undefined
    throw error
  }
}

/** Parts of paths with the same meaning in path-to-regexp 6, where `*` is only a modifier. */
const part = fc.oneof(
  fc.constantFrom('/', '/', '/', '/a', 'a', '-', '.', '/a.b', '\\:', '\\(', '~', '@'),
  fc
    .tuple(
      fc.constantFrom(':a', '/:a', '.:b', '/:__proto__', ':c', '{/:d}', '{-:e}', '{/a}', '{:f-x}'),
      fc.constantFrom('', '', '?', '+', '*'),
    )
    .map(([key, modifier]) => key + modifier),
  fc
    .tuple(
      fc.constantFrom('/:a', ':b', '/', '/:constructor'),
      fc.constantFrom('(\\d+)', '(a|b)', '(.*)', '([a-z-]+)', '((?!a).*)', '([^/]+)', '(a+b?)', '((?:a|b)+)'),
      fc.constantFrom('', '', '?', '+', '*'),
    )
    .map((parts) => parts.join('')),
)
const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('')}`)
const pathname = fc
  .array(fc.constantFrom('/', '/a', '/b', 'a', 'b', '-', '.', '12', 'x', '~', '%20', ':', '('), { maxLength: 10 })
  .map((parts) => `/${parts.join('')}`)

function isOracles(source: string): boolean {
  try {
    // If two parameters have the same name, both matchers return the last one.
    parse(source)
    pathToRegexp(source)
    return true
  } catch {
    return false
  }
}

describe('a path', () => {
  it('matches the same URLs as path-to-regexp 6', () => {
    let compared = 0
    fc.assert(
      fc.property(path, pathname, (source, subject) => {
        // In this syntax, a "?" that could start a query does, and two slashes at the start begin a host.
        fc.pre(isOracles(source) && !source.startsWith('//') && !/\?[^/.\-?#:*{(}]/.test(source))
        const url = new URL(`https://app.test${subject.replace(/^\/+/, '/')}`)
        const expected = match(source, { decode: decodeOrKeep })(url.pathname)
        compared += 1
        expect(matchPath(parsePathPattern(source, base), url)).toEqual(expected === false ? null : expected.params)
      }),
      fuzzSettings(corpus.paths as [string, string][], 5_000),
    )
    expect(compared).toBeGreaterThan(1_000)
  })

  it('of any text is read, or refused with a reason, and matches any URL without an error', () => {
    const pieces = fc.constantFrom(
      ':',
      '*',
      '(',
      ')',
      '{',
      '}',
      '?',
      '+',
      '\\',
      '/',
      '//',
      '#',
      '[',
      ']',
      '|',
      'a',
      'http://',
      '..',
      '%',
      '<',
      '!',
      '=',
    )
    const source = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
      path,
    )
    fc.assert(
      fc.property(source, fc.webUrl(), (anything, url) => {
        const { params, reason } = readAndMatch(anything, url)
        expect(reason).toMatch(/^(?:Failed to read the path |$)/)
        expect(params === null || Object.getPrototypeOf(params) === null).toBe(true)
      }),
      fuzzSettings(corpus.texts as [string, string][], 5_000),
    )
  })

  // A matcher that backtracks would exceed the time-out of the test.
  it('of many wildcards and parameters is matched within time', { timeout: 120_000 }, () => {
    const open = fc.constantFrom(
      '*',
      '/*',
      '/:a',
      ':b',
      '-:c',
      '/:d+',
      '/:e*',
      '/:f?',
      '(.*)',
      '((?:a+)+)',
      '/(.*)*',
      '((?:a|aa)*)',
      '/a',
      '-',
    )
    const repeated = fc.tuple(
      fc.constantFrom('a', '/', 'a/', '-', 'a-', '/a.', 'aa/'),
      fc.constantFrom('', 'x', '/x', '!'),
    )
    fc.assert(
      fc.property(fc.array(open, { minLength: 2, maxLength: 14 }), repeated, (parts, [unit, end]) => {
        const source = `/${parts.join('')}x`
        fc.pre(isRead(source))
        const subject = new URL(`https://app.test/${unit.repeat(400)}${end}`)
        expect(() => matchPath(parsePathPattern(source, base), subject)).not.toThrow()
      }),
      fuzzSettings(corpus.slow as unknown as [string[], [string, string]][], 300),
    )
  })
})

function isRead(source: string): boolean {
  try {
    parsePathPattern(source, base)
    return true
  } catch {
    return false
  }
}

function readAndMatch(source: string, url: string): { params: object | null; reason: string } {
  try {
    return { params: matchPath(parsePathPattern(source, base), new URL(url)), reason: '' }
  } catch (error) {
    return { params: null, reason: (error as Error).message }
  }
}
