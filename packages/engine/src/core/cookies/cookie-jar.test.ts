import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { parseCookies } from './cookie-header.ts'
import { CookieJar } from './cookie-jar.ts'

// There is no page here, so these tests check only the jar's own rules. The browser tests check `document.cookie`.
const shop = 'https://www.app.test/shop/cart'
const include: RequestInit = { credentials: 'include' }

function cookies(jar: CookieJar, url: string, init: RequestInit = include): Record<string, string> {
  return { ...parseCookies(jar.headerFor(new Request(url, init))) }
}

let jar: CookieJar
function store(setCookies: string[], url = shop, init: RequestInit = include): void {
  void jar.store(new Request(url, init), setCookies)
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

  it('each of a name that is set for several paths, the longest path first', () => {
    store(['a=short; Path=/', 'a=long; Path=/shop/cart', 'a=middle; Path=/shop'])
    expect(jar.headerFor(new Request(shop, include))).toBe('a=long; a=middle; a=short')
    expect(jar.headerFor(new Request('https://www.app.test/', include))).toBe('a=short')
  })

  it('cookies of one path in the order in which they were first set', () => {
    store(['b=1; Path=/', 'a=2; Path=/', 'b=3; Path=/'])
    expect(jar.headerFor(new Request(shop, include))).toBe('b=3; a=2')
  })

  it('the bytes that were set', () => {
    store(['a=b%20c; Path=/', 'b=%E0%A4%A; Path=/', 'c="quoted, text"; Path=/', 'd=x=y&z=\u00e9; Path=/'])
    expect(jar.headerFor(new Request(shop, include))).toBe('a=b%20c; b=%E0%A4%A; c="quoted, text"; d=x=y&z=\u00e9')
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

  it('no cookie that a response has deleted', () => {
    store(['a=1; Path=/', 'b=2; Path=/'])
    store(['a=; Path=/; Max-Age=0', 'b=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'])
    expect(cookies(jar, shop)).toEqual({})
  })

  it('a cookie of any name', () => {
    store(['__proto__=1', 'constructor=2'])
    expect(jar.headerFor(new Request(shop, include))).toBe('__proto__=1; constructor=2')
  })
})

describe('credentials', () => {
  it("'omit' neither sends nor stores cookies", () => {
    store(['a=1'], shop, { credentials: 'omit' })
    expect(cookies(jar, shop)).toEqual({})
    store(['a=1'])
    expect(cookies(jar, shop, { credentials: 'omit' })).toEqual({})
  })

  it("'same-origin' means the page's origin; without a page, every origin", () => {
    const hasPage = typeof document === 'object'
    store(['a=1'], shop, { credentials: 'same-origin' })
    expect(cookies(jar, shop)).toEqual(hasPage ? {} : { a: '1' })
    store(['a=1'])
    expect(cookies(jar, shop, { credentials: 'same-origin' })).toEqual(hasPage ? {} : { a: '1' })
  })
})

describe('a cookie with the attribute Secure', () => {
  const insecure = 'http://www.app.test/shop/cart'

  it('is not set from http', () => {
    store(['a=1; Path=/; Secure'], insecure)
    expect(cookies(jar, shop)).toEqual({})
    expect(console.warn).toHaveBeenCalledOnce()
  })

  it('is not replaced or shadowed from http', () => {
    store(['a=1; Path=/; Secure'])
    store(['a=2; Path=/', 'a=3; Path=/shop', 'a=4; Path=/; Domain=app.test', 'b=5; Path=/'], insecure)
    expect(jar.headerFor(new Request(shop, include))).toBe('a=1; b=5')
  })
})

describe('with a list of public suffixes', () => {
  const load = vi.fn<() => Promise<(domain: string) => boolean>>(() =>
    Promise.resolve((domain) => domain === 'co.test'),
  )
  const at = (url: string): Request => new Request(url, include)

  it('refuses a cookie for one of them', async () => {
    const listed = new CookieJar(load)
    await listed.store(at('https://shop.co.test/'), ['a=1; Domain=co.test', 'b=2; Domain=shop.co.test'])
    expect(listed.headerFor(at('https://shop.co.test/'))).toBe('b=2')
    expect(listed.headerFor(at('https://other.co.test/'))).toBe('')
    listed.clear()
  })

  it('loads the list only for a cookie that names a domain', () => {
    load.mockClear()
    const listed = new CookieJar(load)
    expect(listed.store(at('https://shop.co.test/'), ['a=1; Path=/'])).toBeUndefined()
    expect(load).not.toHaveBeenCalled()
    listed.clear()
  })
})

it('reports cookies that a browser would reject, and keeps the others', () => {
  store(['a=1; Domain=other.test', 'b=2'])
  expect(cookies(jar, shop)).toEqual({ b: '2' })
  expect(console.warn).toHaveBeenCalledExactlyOnceWith(
    `[understudy] Failed to set the cookie "a=1; Domain=other.test" for ${shop}: ` +
      'its domain "other.test" is not that of www.app.test. A browser would refuse it too. (US0701)',
  )
})

it('clear() deletes all cookies', () => {
  store(['a=1', 'b=2; HttpOnly'])
  store(['c=3'], 'https://other.test/')
  jar.clear()
  expect([cookies(jar, shop), cookies(jar, 'https://other.test/')]).toEqual([{}, {}])
  store(['a=4'])
  expect(cookies(jar, shop)).toEqual({ a: '4' })
})
