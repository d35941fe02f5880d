import { describe, expect, it } from 'vitest'

import { matchPath } from './match-path.ts'
import { parsePathPattern, searchOf, toPathPattern } from './path-pattern.ts'

const page = 'https://app.test/shop/cart.html'

/** Returns the parameters as entries: they have no prototype, and `toEqual` ignores a parameter named `__proto__`. */
function match(path: string, url: string, baseUrl?: string): [string, string | string[]][] | null {
  const params = matchPath(parsePathPattern(path, baseUrl), new URL(url))
  return params && Object.entries(params)
}

describe('parameters', () => {
  it.each<[path: string, url: string, params: Record<string, string | string[]> | null]>([
    ['/user', '/user', {}],
    ['/user', '/users', null],
    ['/user', '/user/5', null],
    ['/', '/', {}],
    ['/', '/user', null],

    ['/user/:id', '/user/5', { id: '5' }],
    ['/user/:id', '/user', null],
    ['/user/:id', '/user/', null],
    ['/user/:id', '/user/5/posts', null],
    ['/:a/:b', '/1/2', { a: '1', b: '2' }],
    ['/:from-:to', '/ORD-LHR', { from: 'ORD', to: 'LHR' }],
    ['/:name.json', '/user.json', { name: 'user' }],
    ['/v:major.:minor', '/v1.20', { major: '1', minor: '20' }],
    ['/:$id/:_x/:a1', '/1/2/3', { $id: '1', _x: '2', a1: '3' }],

    ['/user/:id?', '/user/5', { id: '5' }],
    ['/user/:id?', '/user', {}],
    ['/user/:id?', '/user/5/6', null],
    ['/user/:id?/edit', '/user/edit', {}],
    ['/user/:id?/edit', '/user/5/edit', { id: '5' }],
    ['/:lang?/home', '/home', {}],
    ['/file.:extension?', '/file', {}],
    ['/file.:extension?', '/file.txt', { extension: 'txt' }],

    ['/files/:path+', '/files/a', { path: ['a'] }],
    ['/files/:path+', '/files/a/b/c', { path: ['a', 'b', 'c'] }],
    ['/files/:path+', '/files', null],
    ['/files/:path*', '/files/a/b', { path: ['a', 'b'] }],
    ['/files/:path*', '/files', {}],
    ['/files/:path*/end', '/files/end', {}],
    ['/files/:path+/end', '/files/a/b/end', { path: ['a', 'b'] }],

    ['/user/:id(\\d+)', '/user/5', { id: '5' }],
    ['/user/:id(\\d+)', '/user/ada', null],
    ['/user/:id(\\d+)?', '/user', {}],
    ['/user/:ids(\\d+)+', '/user/1/2', { ids: ['1', '2'] }],
    ['/user/:ids(\\d+)+', '/user/1/ada', null],
    ['/:kind(user|post)/:id', '/post/5', { kind: 'post', id: '5' }],
    ['/:kind(user|post)/:id', '/page/5', null],
    ['/:date((\\d+)-(\\d+))/:id', '/2024-05/7', { date: '2024-05', id: '7' }],
    ['/:page((?!api).*)/:id', '/home/7', { page: 'home', id: '7' }],
    ['/:page((?!api).*)/:id', '/api/7', null],
    ['/:date((?<year>\\d+)-\\d+)/:id', '/2024-05/7', { date: '2024-05', id: '7' }],
    ['/:kind(?:user|post)/:id', '/post/5', { kind: 'post', id: '5' }],
    ['/:text([(a)]+)/:id', '/(a)/5', { text: '(a)', id: '5' }],
    ['/:text([^/)]+\\))', '/a)', { text: 'a)' }],
    ['/(\\d+)/:id', '/1/2', { 0: '1', id: '2' }],

    // A parameter may have the name of an inherited property.
    ['/:__proto__/:constructor', '/a/b', { ['__proto__']: 'a', constructor: 'b' }],
  ])('%s on %s gives %o', (path, url, params) => {
    expect(match(path, `https://app.test${url}`)).toEqual(params && Object.entries(params))
  })
})

describe('wildcards', () => {
  it.each<[path: string, url: string, params: Record<string, string> | null]>([
    ['*', 'https://app.test/a/b', { 0: 'https://app.test/a/b' }],
    ['**', 'https://app.test/a/b', { 0: 'https://app.test/a/b' }],
    ['*/user', 'https://app.test/user', { 0: 'https://app.test' }],
    ['*/user', 'http://localhost:8080/api/user', { 0: 'http://localhost:8080/api' }],
    ['*/user', 'https://app.test/users', null],
    ['*/user/:id', 'https://app.test/user/5', { 0: 'https://app.test', id: '5' }],
    ['*.css', 'https://app.test/a/main.css', { 0: 'https://app.test/a/main' }],
    ['/files/*', 'https://app.test/files/a/b', { 0: 'a/b' }],
    ['/files/*', 'https://app.test/files/', { 0: '' }],
    ['/files/*', 'https://app.test/files', null],
    ['/files*', 'https://app.test/files', { 0: '' }],
    ['/a/*/c/*', 'https://app.test/a/b/c/d', { 0: 'b', 1: 'd' }],
    ['/*.js', 'https://app.test/lib/main.js', { 0: 'lib/main' }],
    ['/:id/*', 'https://app.test/5/a', { id: '5', 0: 'a' }],
    ['https://*.example.com/x', 'https://api.example.com/x', { 0: 'api' }],
    ['https://*.example.com/x', 'https://a.b.example.com/x', { 0: 'a.b' }],
    ['https://*.example.com/x', 'https://example.com/x', null],
    ['https://*.example.com/x', 'https://example.org/x', null],
    ['https://*.example.com/x', 'http://api.example.com/x', null],
    ['*://example.com/x', 'http://example.com/x', { 0: 'http' }],
    ['http*://example.com/x', 'https://example.com/x', { 0: 's' }],
    ['//example.com/x', 'https://example.com/x', { 0: 'https' }],
    ['http://localhost:*/x', 'http://localhost:3000/x', { 0: '3000' }],
    ['http://localhost:*/x', 'http://127.0.0.1:3000/x', null],
    ['https://example.com*', 'https://example.com/a/b', { 0: '/a/b' }],
    ['https://*', 'https://example.com/a', { 0: 'example.com/a' }],
    ['https://:tenant.example.com/:id', 'https://acme.example.com/5', { tenant: 'acme', id: '5' }],
  ])('%s on %s gives %o', (path, url, params) => {
    expect(match(path, url)).toEqual(params && Object.entries(params))
  })
})

describe('absolute paths', () => {
  it.each<[path: string, url: string, matches: boolean]>([
    ['https://example.com/user', 'https://example.com/user', true],
    ['https://example.com/user', 'http://example.com/user', false],
    ['https://example.com/user', 'https://example.com:8443/user', false],
    ['https://example.com/user', 'https://example.org/user', false],
    ['HTTPS://Example.COM/user', 'https://example.com/user', true],
    ['https://example.com:443/user', 'https://example.com/user', true],
    ['http://localhost:3000/user', 'http://localhost:3000/user', true],
    ['http://localhost:3000/user', 'http://localhost:3001/user', false],
    ['http://localhost:3000', 'http://localhost:3000/', true],
    ['https://example.com', 'https://example.com/', true],
    ['https://example.com', 'https://example.com/user', false],
    ['http://127.0.0.1:8080/:id', 'http://127.0.0.1:8080/5', true],
    ['http://[::1]:8080/:id', 'http://[::1]:8080/5', true],
    ['http://[fe80::abc]/x', 'http://[fe80::abc]/x', true],
    ['http://[fe80::abc]/x', 'http://[fe80::abd]/x', false],
    ['https://münchen.example/x', 'https://münchen.example/x', true],
    ['wss://example.com/socket', 'wss://example.com/socket', true],
  ])('%s on %s: %s', (path, url, matches) => {
    expect(match(path, url) !== null).toBe(matches)
  })
})

describe('relative paths', () => {
  it.each<[path: string, base: string | undefined, url: string, matches: boolean]>([
    ['/user', page, 'https://app.test/user', true],
    ['/user', page, 'https://api.test/user', false],
    ['user', page, 'https://app.test/shop/user', true],
    ['user', page, 'https://app.test/user', false],
    ['./user', page, 'https://app.test/shop/user', true],
    ['../user', page, 'https://app.test/user', true],
    ['../../../user', page, 'https://app.test/user', true],
    ['../:id', page, 'https://app.test/5', true],
    [':id', page, 'https://app.test/shop/5', true],
    ['*/user', page, 'https://api.test/user', true],
    ['/user', 'http://localhost:3000', 'http://localhost:3000/user', true],
    ['/user', undefined, 'https://app.test/user', true],
    ['/user', undefined, 'http://localhost:3000/user', true],
    ['user', undefined, 'http://localhost:3000/user', true],
    ['./user', undefined, 'http://localhost:3000/user', true],
    // The base is the page's URL, not a pattern.
    ['user', 'https://app.test/a(b)/:c/', 'https://app.test/a(b)/:c/user', true],
    ['user', 'https://app.test/a(b)/:c/', 'https://app.test/a(b)/d/user', false],
  ])('%s, relative to %s, on %s: %s', (path, base, url, matches) => {
    expect(match(path, url, base) !== null).toBe(matches)
  })
})

describe('spelling', () => {
  it.each<[path: string, url: string, matches: boolean]>([
    ['/user', '/user/', true],
    ['/user/:id', '/user/5/', true],
    ['/user/', '/user/', true],
    ['/user/', '/user', false],
    ['/User', '/uSER', true],
    ['/user//posts', '/user//posts', true],
    ['/user//posts', '/user/posts', false],
    ['/café', '/café', true],
    ['/café', '/caf%C3%A9', true],
    ['/caf%C3%A9', '/café', true],
    ['/caf%c3%a9', '/café', true],
    ['/日本/:id', '/日本/5', true],
    ['/a b', '/a%20b', true],
    ['/a"<>`b', '/a"<>`b', true],
    ['/a^b|c', '/a^b|c', true],
    ['/a+b$c.d', '/a+b$c.d', true],
    ['/a.c', '/abc', false],
    ['/a\\:b', '/a:b', true],
    ['/a\\:b', '/a', false],
    ['/a\\*', '/a*', true],
    ['/a\\*', '/ab', false],
    ['/a\\(b\\)', '/a(b)', true],
    ['/a\\{b\\}', '/a{b}', true],
    ['/v1/users:5', '/v1/users:5', true],
    ['/a:', '/a:', true],
    ['/%E0%A4%A', '/%E0%A4%A', true],
    ['/a{/b}?', '/a', true],
    ['/a{/b}?', '/a/b', true],
    ['/a{/b}?', '/ab', false],
    ['/a{-:id}?/c', '/a-5/c', true],
    ['/a{-:id}?/c', '/a/c', true],
    ['/a{-:id}+', '/a-1-2', true],
    ['/{:id.html}', '/5.html', true],
    ['/a{/*}?', '/a/b/c', true],
    ['/a?x=1', '/a', true],
    ['/a/:id?x=1', '/a/5', true],
    ['/a/:id?x=1', '/a', false],
    ['/a#top', '/a', true],
    ['/a', '/a?x=1#top', true],
  ])('%s on %s: %s', (path, url, matches) => {
    expect(match(path, `https://app.test${url}`) !== null).toBe(matches)
  })

  it.each<[path: string, url: string, value: string | string[]]>([
    ['/:value', '/caf%C3%A9', 'café'],
    ['/:value', '/a%2Fb', 'a/b'],
    ['/:value', '/a%20b', 'a b'],
    ['/:value', '/a+b', 'a+b'],
    ['/:value', '/%E0%A4%A', '%E0%A4%A'],
    ['/:value', '/%', '%'],
    ['/:value+', '/a%2Fb/c', ['a/b', 'c']],
    ['/x/*', '/x/a%2Fb/c', 'a/b/c'],
  ])('decodes the parameter of %s on %s to %o', (path, url, value) => {
    expect(match(path, `https://app.test${url}`)?.[0]?.[1]).toEqual(value)
  })

  it('splits a repeated group by the text around its parameter', () => {
    expect(match('/a{-:id}+', 'https://app.test/a-1-2')).toEqual([['id', ['1', '2']]])
  })

  it('gives parameters that inherit nothing', () => {
    const params = matchPath(parsePathPattern('/:id', undefined), new URL('https://app.test/5'))
    expect(Object.getPrototypeOf(params)).toBe(null)
  })
})

describe('the shape', () => {
  it.each([
    ['*', true],
    ['/user', true],
    ['/user/:id', true],
    ['https://app.test/user', true],
    ['/files/*', true],
    ['/user/', false],
    ['/user//posts', false],
    ['/user/v:id', false],
    ['/user/:id?', false],
    ['/user/:id(\\d+)', false],
    ['*/user', false],
    ['https://*.app.test/user', false],
    ['https://:tenant.app.test/user', false],
    ['http://localhost:*/user', false],
  ])('of %s says it all: %s', (path, exact) => {
    expect(parsePathPattern(path, page).route.exact).toBe(exact)
  })
})

describe('searchOf', () => {
  it.each([
    ['/user', ''],
    ['/user?id=5', '?id=5'],
    ['/user?', '?'],
    ['/user#top', '#top'],
    ['/user?id=5#top', '?id=5#top'],
    ['/user/:id?', ''],
    ['/user/:id?/edit', ''],
    ['/user/:id?-:b', ''],
    ['/user/:id(\\d+)?', ''],
    ['/user{/:id}?', ''],
    ['/user/:id??a=1', '?a=1'],
    ['/user/:id?a=1', '?a=1'],
    ['/user/:id?#top', '#top'],
    ['/user/:id(a?b#)', ''],
    ['/a\\?b', ''],
    ['*/user?a=1', '?a=1'],
    ['https://example.com?a=1', '?a=1'],
  ])('of %s is "%s"', (path, search) => {
    expect(searchOf(path)).toBe(search)
  })
})

describe('a path that cannot be read', () => {
  it.each([
    ['/user/:id(\\d+', 'the parenthesis at "(\\d+" is never closed'],
    ['https://app.test/user/:id([)', 'the parenthesis at "([)" is never closed'],
    ['/user/{:id', 'the brace at "{:id" is never closed'],
    ['/{:a-:b}?', 'a group in braces contains more than one parameter'],
    ['/user{/:id?}', '"?" must come after the closing brace'],
    ['/user/:id(+)', '"+" is not a valid regular expression'],
    ['/user/:id()', 'a pair of parentheses is empty'],
    ['/user-:id+', 'the parameter "id" repeats, but nothing separates its values'],
    ['/user{:id}*', 'the parameter "id" repeats, but nothing separates its values'],
  ])('%s: %s', (path, reason) => {
    expect(() => parsePathPattern(path, undefined)).toThrow(
      `Failed to read the path "${path}": ${reason}. See the path syntax in the documentation of \`http\`.`,
    )
  })

  it('rejects a base URL that is not absolute', () => {
    expect(() => parsePathPattern('/user', 'app.test')).toThrow(
      'Failed to read the path "/user": the base URL "app.test" is not absolute. ' +
        'Pass an absolute URL, such as "https://example.com".',
    )
  })
})

describe('a path whose expression could take very long', () => {
  const at = (pathname: string): URL => new URL(`https://app.test${pathname}`)
  const repeated = 'a/'.repeat(200)

  // An expression that backtracks would exceed the time-out of the test.
  it.each<[path: string, pathname: string]>([
    ['/*/*/*/*/*/x', `/${repeated}`],
    ['/:a+/:b+/:c+/:d+/:e+/x', `/${repeated}`],
    ['/:a-:b-:c-:d-x', `/${'-'.repeat(3000)}`],
    ['/((?:a+)+)b', `/${'a'.repeat(4000)}`],
    ['/((?:a|aa)*)b', `/${'a'.repeat(4000)}`],
    ['/(.*)*/b', `/${repeated}`],
    ['*/a*b*c*d*e*f', `/${'abcde'.repeat(400)}`],
    [`${'/:a?'.repeat(26)}/x`, `/${'a/'.repeat(14)}y`],
  ])('%s is matched', (path, pathname) => {
    expect(matchPath(parsePathPattern(path, 'https://app.test/'), at(pathname))).toBeNull()
  })

  it('has the parameters that the expression gives', () => {
    const paramsOf = (path: string, pathname: string): object | null =>
      matchPath(parsePathPattern(path, 'https://app.test/'), at(pathname))
    expect(paramsOf('/*/*/*/x', `/${repeated}x`)).toEqual({ 0: 'a/'.repeat(198).slice(0, -1), 1: 'a', 2: 'a' })
    expect(paramsOf('/(.*)*', '/a/b')).toEqual({ 0: ['a', 'b'] })
    expect(paramsOf('/:id((?!x).*)/end', '/y/z/end')).toEqual({ id: 'y/z' })
  })

  it.each([
    ['/:a(a(?<!b))', '"a(?<!b)" has a look-behind. Pass a RegExp.'],
    ['/:a(a\\1)', '"a\\1" has a back-reference. Pass a RegExp.'],
  ])('%s is refused', (path, reason) => {
    expect(() => parsePathPattern(path, undefined)).toThrow(`Failed to read the path "${path}": ${reason}`)
  })

  it('is refused when it is first matched, if its counts make it too large', () => {
    expect(() => matchPath(parsePathPattern('/:a(a{9999})', undefined), at('/a'))).toThrow(
      'Failed to read the path "/:a(a{9999})": its expression could take very long to match, because its repetitions make it too large. ' +
        'Simplify the expression, or pass a RegExp.',
    )
  })
})

it.each<[path: string, pathname: string, params: object | null]>([
  ['{/login}?', '/login', {}],
  ['{/login}?', '/other', null],
  ['\\/:name', '/a', { name: 'a' }],
  ['/test\\/:uid(u\\d+)?:cid(c\\d+)?', '/test/c1', { cid: 'c1' }],
  ['/:from-:to', '/a-b-c', { from: 'a-b', to: 'c' }],
  ['/:name.:type', '/a.b.c', { name: 'a.b', type: 'c' }],
  ['/:foo\\(:bar?\\)', '/a(b)', { foo: 'a', bar: 'b' }],
])('%s matches %s as path-to-regexp 6.3 does', (path, pathname, params) => {
  expect(matchPath(parsePathPattern(path, 'https://app.test/'), new URL(pathname, 'https://app.test/'))).toEqual(params)
})

describe('known paths', () => {
  it('parses a path once for each base URL', () => {
    const pattern = toPathPattern('/known', page)
    expect(toPathPattern('/known', page)).toBe(pattern)
    expect(toPathPattern('/known', 'https://other.test/')).not.toBe(pattern)
    expect(toPathPattern('/known', undefined)).not.toBe(pattern)
  })

  it('does not confuse a path with a RegExp of the same text', () => {
    expect(toPathPattern(/known/, page).source).toEqual(/known/)
    expect(toPathPattern('/known/', page).source).toMatchObject({ path: '/known/' })
    expect(toPathPattern(/known/, page).source).toEqual(/known/)
  })

  it('forgets paths when there are many', () => {
    const first = toPathPattern('/many/first', page)
    for (let index = 0; index < 1000; index += 1) toPathPattern(`/many/${index}`, page)
    expect(toPathPattern('/many/first', page)).not.toBe(first)
  })

  it('throws for an invalid path each time', () => {
    for (let time = 0; time < 2; time += 1) expect(() => toPathPattern('/known/(', page)).toThrow('is never closed')
  })
})
