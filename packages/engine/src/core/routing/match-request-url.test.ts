import { describe, expect, it } from 'vitest'

import { matchRequestUrl } from './match-request-url.ts'
import type { Path } from './path-pattern.ts'

function match(url: string, path: Path, baseUrl?: string): [matches: boolean, params: [string, unknown][]] {
  const { matches, params } = matchRequestUrl(new URL(url), path, baseUrl)
  return [matches, Object.entries(params)]
}

describe('a path string', () => {
  it('returns whether it matches, and the parameters', () => {
    expect(match('https://app.test/user/5', 'https://app.test/user/:id')).toEqual([true, [['id', '5']]])
    expect(match('https://app.test/post/5', 'https://app.test/user/:id')).toEqual([false, []])
  })

  it('is relative to the given base URL', () => {
    expect(match('https://app.test/user', '/user', 'https://app.test/shop')).toEqual([true, []])
    expect(match('https://api.test/user', '/user', 'https://app.test/shop')).toEqual([false, []])
  })

  it('is relative to the page, and matches any origin if there is no page', () => {
    const page = (globalThis as { location?: { origin: string } }).location?.origin
    expect(match(`${page ?? 'https://app.test'}/user`, '/user')).toEqual([true, []])
    expect(match('https://api.test/user', '/user')).toEqual([page === undefined, []])
  })
})

describe('a RegExp', () => {
  it.each<[expression: RegExp, url: string, matches: boolean, params: Record<string, string>]>([
    [/\/user\/\d+$/, 'https://app.test/user/5', true, {}],
    [/\/user\/\d+$/, 'https://app.test/user/ada', false, {}],
    // Query and hash take no part, as with path strings.
    [/\/user$/, 'https://app.test/user?id=5#top', true, {}],
    [/id=5/, 'https://app.test/user?id=5', false, {}],
    [/^https:\/\/app\.test\//, 'https://app.test/user', true, {}],
    [/:8080\/user/, 'http://localhost:8080/user', true, {}],
    [/\/(user|post)\/(\d+)/, 'https://app.test/post/5', true, { 0: 'post', 1: '5' }],
    [/\/user(?:\/(\d+))?$/, 'https://app.test/user', true, {}],
    [/\/user\/(?<id>\d+)/, 'https://app.test/user/5', true, { 0: '5', id: '5' }],
    [/\/(?<__proto__>\w+)$/, 'https://app.test/user', true, { 0: 'user', ['__proto__']: 'user' }],
    [/\/USER$/i, 'https://app.test/user', true, {}],
  ])('%s on %s: %s %o', (expression, url, matches, params) => {
    expect(match(url, expression)).toEqual([matches, Object.entries(params)])
  })

  it.each(['g', 'y', 'gy'])('with the flags "%s" returns the same result each time', (flags) => {
    const expression = new RegExp('https://app\\.test/user/(\\d+)', flags)
    const answers = [1, 2, 3].map(() => match('https://app.test/user/5', expression))
    expect(answers).toEqual([1, 2, 3].map(() => [true, [['0', '5']]]))
  })
})
