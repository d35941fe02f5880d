import type { Key } from 'path-to-regexp'
import { describe, expect, it } from 'vitest'

import { matchPath } from './match-path.ts'
import { parsePathPattern } from './path-pattern.ts'
import { decodeOrKeep } from './route.ts'

// The test cases of path-to-regexp 6, which the package contained until 6.1.

type MatchCase = [subject: string, found: (string | undefined)[] | null]
type Test = [path: string | RegExp, options: object | undefined, tokens: (string | Key)[], cases: MatchCase[]]

// The code of this folder imports no modules of Node.
const { readFileSync } = process.getBuiltinModule('node:fs')
const { runInThisContext } = process.getBuiltinModule('node:vm')
const { createRequire } = process.getBuiltinModule('node:module')
const specification = readFileSync(
  createRequire(import.meta.url).resolve('path-to-regexp-6.1/dist/index.spec.js'),
  'utf8',
)
const evaluate = runInThisContext(`(function (require, exports, describe) { ${specification}\nreturn TESTS })`) as (
  require: () => object,
  exports: object,
  describe: () => void,
) => Test[]
const tests = evaluate(
  () => ({}),
  {},
  () => {},
)

const queryConflict = 'a "?" before a letter begins a query, of which a warning tells'

/** Cases with a different result, each with the reason. */
const exceptions: Record<string, { reason: string; params: object | null }> = {
  'test for /test': { reason: 'a path without a slash is relative to the page', params: {} },
  ':test for /route': { reason: 'a path without a slash is relative to the page', params: { test: 'route' } },
  ':test? for /route': { reason: 'a path without a slash is relative to the page', params: { test: 'route' } },
  '/:test.:format for /route.html.json': {
    reason: 'since 6.3, a parameter does not contain the text before it',
    params: { test: 'route.html', format: 'json' },
  },
  '/:test{.:format}? for /route.json.html': {
    reason: 'since 6.3, a parameter does not contain the text before it',
    params: { test: 'route.json', format: 'html' },
  },
  '/{apple-}?icon-:res(\\d+).png for /icon-240.png': { reason: queryConflict, params: null },
  '/{apple-}?icon-:res(\\d+).png for /apple-icon-240.png': { reason: queryConflict, params: null },
  '\\/:pre?baz for /foobaz': { reason: queryConflict, params: { pre: 'foobaz' } },
  '\\/:pre?baz for /baz': { reason: queryConflict, params: { pre: 'baz' } },
}

/** Excludes cases with options, and cases whose path cannot be that of a URL: empty, with a query or fragment, or not encoded. */
const cases = tests.flatMap(([path, options, tokens, matchCases]) =>
  typeof path === 'string' && (options === undefined || Object.keys(options).length === 0)
    ? matchCases
        .filter(([subject]) => URL.parse(`https://app.test${subject}`)?.pathname === subject)
        .map(([subject, found]) => ({
          path,
          subject,
          found,
          keys: tokens.filter((token) => typeof token === 'object'),
        }))
    : [],
)

describe("path-to-regexp's own cases", () => {
  it('are found', () => {
    expect(cases.length).toBe(143)
  })

  it.each(cases)('$path for $subject', ({ path, subject, found, keys }) => {
    const params = matchPath(parsePathPattern(path, 'https://app.test/'), new URL(`https://app.test${subject}`))
    const exception = exceptions[`${path} for ${subject}`]
    const expected = keys.flatMap(({ name, modifier, prefix, suffix }, index) => {
      const text = found?.[index + 1]
      if (text === undefined) return []
      return [
        [
          name,
          '+*'.includes(modifier) && modifier !== ''
            ? text.split(prefix + suffix).map(decodeOrKeep)
            : decodeOrKeep(text),
        ] as const,
      ]
    })
    expect(params).toEqual(exception ? exception.params : found && Object.fromEntries(expected))
  })
})
