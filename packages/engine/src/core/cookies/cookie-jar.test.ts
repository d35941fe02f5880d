import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { CookieJar } from './cookie-jar.ts'

// Of no page, so that the rules show alone: see the browser's tests for `document.cookie`.
const shop = 'https://www.app.test/shop/cart'
const include: RequestInit = { credentials: 'include' }

function cookies(jar: CookieJar, url: string, init: RequestInit = include): Record<string, string> {
  return { ...jar.cookiesFor(new Request(url, init)) }
}

let jar: CookieJar
function store(setCookies: string[], url = shop, init: RequestInit = include): void {
  jar.store(new Request(url, init), setCookies)
}

beforeEach(() => {
  jar = new CookieJar()
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
})
afterEach(() => {
  jar.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a request carries', () => {
  it('what responses have set, by domain, path and security', () => {
    store([
      'host=1; Path=/',
      'domain=2; Path=/; Domain=app.test',
      'path=3',
      'secure=4; Path=/; Secure',
      'http=5; HttpOnly; Path=/',
    ])
    expect(cookies(jar, shop)).toEqual({ host: '1', domain: '2', path: '3', secure: '4', http: '5' })
    expect(cookies(jar, 'https://www.app.test/')).toEqual({ host: '1', domain: '2', secure: '4', http: '5' })
    expect(cookies(jar, 'http://www.app.test/')).toEqual({ host: '1', domain: '2', http: '5' })
    expect(cookies(jar, 'https://api.app.test/shop/')).toEqual({ domain: '2' })
    expect(cookies(jar, 'https://other.test/shop/')).toEqual({})
  })

  it('the last one set of a name', () => {
    store(['a=1; Path=/', 'a=2; Path=/'])
    store(['a=3; Path=/'])
    expect(cookies(jar, shop)).toEqual({ a: '3' })
  })

  it('the one of the longest path, where a name is set for several', () => {
    store(['a=long; Path=/shop/cart', 'a=short; Path=/'])
    expect(cookies(jar, shop)).toEqual({ a: 'long' })
    expect(cookies(jar, 'https://www.app.test/')).toEqual({ a: 'short' })
  })

  it('nothing that has expired', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
    store(['a=1; Max-Age=60', 'b=2; Expires=Thu, 01 Jan 2026 00:02:00 GMT', 'c=3', 'd=4; Max-Age=0'])
    expect(cookies(jar, shop)).toEqual({ a: '1', b: '2', c: '3' })
    vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 1, 1))
    expect(cookies(jar, shop)).toEqual({ b: '2', c: '3' })
    vi.setSystemTime(Date.UTC(2026, 0, 1, 0, 2, 1))
    expect(cookies(jar, shop)).toEqual({ c: '3' })
  })

  it('no longer what a response deletes', () => {
    store(['a=1; Path=/', 'b=2; Path=/'])
    store(['a=; Path=/; Max-Age=0', 'b=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'])
    expect(cookies(jar, shop)).toEqual({})
  })

  it('a cookie of any name, and inherits none', () => {
    store(['__proto__=1', 'constructor=2'])
    const carried = jar.cookiesFor(new Request(shop, include))
    expect(Object.entries(carried)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(Object.getPrototypeOf(jar.cookiesFor(new Request(shop, { credentials: 'omit' })))).toBe(null)
  })
})

describe('credentials', () => {
  it("'omit' neither carries nor keeps cookies", () => {
    store(['a=1'], shop, { credentials: 'omit' })
    expect(cookies(jar, shop)).toEqual({})
    store(['a=1'])
    expect(cookies(jar, shop, { credentials: 'omit' })).toEqual({})
  })

  it("'same-origin' means the page's; where there is no page, every origin", () => {
    const hasPage = typeof document === 'object'
    store(['a=1'], shop, { credentials: 'same-origin' })
    expect(cookies(jar, shop)).toEqual(hasPage ? {} : { a: '1' })
    store(['a=1'])
    expect(cookies(jar, shop, { credentials: 'same-origin' })).toEqual(hasPage ? {} : { a: '1' })
  })
})

it('tells what a browser would refuse, and keeps the others', () => {
  store(['a=1; Domain=other.test', 'b=2'])
  expect(cookies(jar, shop)).toEqual({ b: '2' })
  expect(console.warn).toHaveBeenCalledExactlyOnceWith(
    `[understudy] Failed to set the cookie "a=1; Domain=other.test" for ${shop}: ` +
      'its domain "other.test" is not that of www.app.test. A browser would refuse it too.',
  )
})

it('forgets all by clear()', () => {
  store(['a=1', 'b=2; HttpOnly'])
  store(['c=3'], 'https://other.test/')
  jar.clear()
  expect([cookies(jar, shop), cookies(jar, 'https://other.test/')]).toEqual([{}, {}])
  store(['a=4'])
  expect(cookies(jar, shop)).toEqual({ a: '4' })
})
