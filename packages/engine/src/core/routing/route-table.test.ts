import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { matchPath } from './match-path.ts'
import { parsePathPattern } from './path-pattern.ts'
import { RouteTable } from './route-table.ts'
import { anyRoute } from './route.ts'

const page = 'https://app.test/shop/cart'

function tableOf(paths: readonly (readonly [method: string | null, path: string])[]): RouteTable<string> {
  const table = new RouteTable<string>()
  paths.forEach(([method, path], position) => {
    const { route } = parsePathPattern(path, page)
    table.add({ ...route, methods: method === null ? null : [method] }, position, path)
  })
  return table
}

function candidates(table: RouteTable<string>, method: string, url: string): string[] {
  return table.candidates(method, new URL(url)).map(({ value }) => value)
}

describe('candidates', () => {
  const table = tableOf([
    ['GET', '/user/:id'],
    ['POST', '/user/:id'],
    ['GET', '/user/me'],
    [null, '/user/*'],
    ['GET', 'https://api.test/user/:id'],
    ['GET', '*/user/:id'],
    ['GET', '/user/:id?'],
    ['GET', '/post/:id'],
  ])

  it.each<[request: string, paths: string[]]>([
    ['GET https://app.test/user/5', ['/user/:id', '/user/*', '*/user/:id', '/user/:id?']],
    ['GET https://app.test/user/me', ['/user/:id', '/user/me', '/user/*', '*/user/:id', '/user/:id?']],
    ['GET https://app.test/user/ME/', ['/user/:id', '/user/me', '/user/*', '*/user/:id', '/user/:id?']],
    ['POST https://app.test/user/5', ['/user/:id', '/user/*']],
    ['DELETE https://app.test/user/5', ['/user/*']],
    ['GET https://api.test/user/5', ['https://api.test/user/:id', '*/user/:id']],
    ['GET https://app.test/post/5', ['*/user/:id', '/post/:id']],
    ['GET https://app.test/', ['*/user/:id']],
    ['POST https://app.test/', []],
  ])('%s: %j', (request, paths) => {
    const [method = '', url = ''] = request.split(' ')
    expect(candidates(table, method, url)).toEqual(paths)
  })

  it('include a path whose missing optional parameter removes the slash', () => {
    const optional = tableOf([['GET', '/file/:name?.json']])
    expect(candidates(optional, 'GET', 'https://app.test/file.json')).toEqual(['/file/:name?.json'])
  })

  it('of an empty table are an empty list', () => {
    expect(candidates(new RouteTable(), 'GET', page)).toEqual([])
  })

  it('are ordered by position, independent of the order in which they were added', () => {
    const mixed = new RouteTable<string>()
    mixed.add(parsePathPattern('/user/:id', page).route, 2, 'third')
    mixed.add(anyRoute, -1, 'first')
    mixed.add(parsePathPattern('/user/me', page).route, 0, 'second')
    expect(candidates(mixed, 'GET', 'https://app.test/user/me')).toEqual(['first', 'second', 'third'])
    expect(mixed.size).toBe(3)
  })
})

describe('against a plain scan', () => {
  // Few words, so that handlers often match requests.
  const words = 'a|A|b|user|caf\u00e9|caf%C3%A9|a b|a.b|a-b|5|%|%41|%2F|~|{|^|'.split('|')
  const word = fc.constantFrom(...words)
  const origin = fc.constantFrom('https://app.test', 'https://api.test', 'http://localhost:3000', 'https://x.api.test')
  const method = fc.constantFrom('GET', 'POST')

  const parameter = fc
    .tuple(fc.constantFrom(':p', ':q', ':p(\\d+)', ':p([ab]+)', ':p(?:a|b)'), fc.constantFrom('', '', '?', '+', '*'))
    .map((parts) => parts.join(''))
  const segment = fc.oneof(
    { weight: 3, arbitrary: word.map((text) => text.replace(/[{:*()]/g, '\\$&')) },
    { weight: 4, arbitrary: parameter },
    { weight: 1, arbitrary: fc.constantFrom('*', '*.b', 'a*', 'a:p', ':p.b', ':p-:q', 'a.:p', ':p?.b', '..', '.') },
  )
  const path = fc
    .record({
      origin: fc.oneof(
        fc.constant(''),
        origin,
        fc.constantFrom(
          '*',
          '*:',
          'http://localhost:*',
          'https://*.test',
          'https://:host.test',
          'HTTPS://APP.test:443',
        ),
      ),
      slash: fc.constantFrom('', '/'),
      segments: fc.array(segment, { maxLength: 3 }),
      end: fc.constantFrom('', '', '', '/', '*', '/*', '{/b}?', '{-:r}?', '{/:r.b}?', '?x=1'),
    })
    .map((parts) => `${parts.origin}${parts.origin ? '/' : parts.slash}${parts.segments.join('/')}${parts.end}`)
    .filter(isReadable)

  function isReadable(text: string): boolean {
    try {
      parsePathPattern(text, page)
      return true
    } catch {
      return false
    }
  }

  /** Returns a URL that the path probably matches: its parameters and wildcards are replaced by texts. */
  function fill(text: string, texts: readonly string[]): string {
    let next = 0
    return text
      .replace(/:\w+(?:\(.*?\))?[?+*]?|\*+/g, () => texts[next++] ?? 'a')
      .replace(/[{}]\??|\\/g, '')
      .replace(/^\/\//, 'https://api.test/')
  }

  const request = fc.record({
    method,
    origin,
    segments: fc.array(word, { maxLength: 3 }),
    like: fc.option(fc.nat(20), { freq: 4 }),
  })
  const base = fc.constantFrom(page, undefined, 'https://app.test/caf\u00e9/:p/x')

  it('finds every handler that matches, in order', () => {
    let matches = 0
    const handlers = fc.array(fc.record({ method: fc.option(method), path }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(handlers, fc.array(request, { size: 'medium' }), base, (given, requests, baseUrl) => {
        const table = new RouteTable<number>()
        const matchers = given.map((handler, position) => {
          const pattern = parsePathPattern(handler.path, baseUrl)
          table.add({ ...pattern.route, methods: handler.method && [handler.method] }, position, position)
          return (sent: string, url: URL) => (handler.method ?? sent) === sent && matchPath(pattern, url) !== null
        })
        for (const { method: sent, like, segments, ...other } of requests) {
          const text = like === null ? segments.join('/') : fill(given[like % given.length]?.path ?? '', segments)
          const url = URL.parse(text, other.origin) ?? new URL(other.origin)
          const scanned = [...matchers.keys()].filter((position) => matchers[position]?.(sent, url))
          const found = table.candidates(sent, url).map(({ value }) => value)
          expect(found).toEqual(found.toSorted((a, b) => a - b))
          expect(found.filter((position) => matchers[position]?.(sent, url))).toEqual(scanned)
          matches += scanned.length
        }
      }),
      { numRuns: 500 },
    )
    // Requests that no handler matches would prove nothing.
    expect(matches).toBeGreaterThan(1000)
  })
})
