import { describe, expect, it } from 'vitest'

import { isCookieFor, isSameCookie, toStoredCookie, type StoredCookie } from './stored-cookie.ts'

const now = Date.UTC(2026, 0, 1)
const url = new URL('https://www.app.test/shop/cart')

function read(header: string, from = url): StoredCookie {
  const cookie = toStoredCookie(header, from, now)
  if ('refusal' in cookie) throw new Error(cookie.refusal)
  return cookie
}

describe('toStoredCookie', () => {
  it('applies the defaults for missing attributes', () => {
    expect(read('a=1')).toEqual({
      name: 'a',
      value: '1',
      domain: 'www.app.test',
      hostOnly: true,
      path: '/shop',
      secure: false,
      httpOnly: false,
      expires: null,
    })
  })

  it.each<[header: string, part: Partial<StoredCookie>]>([
    ['a=1; Path=/', { path: '/' }],
    ['a=1; Path=/shop/', { path: '/shop/' }],
    ['a=1; Path=shop', { path: '/shop' }],
    ['a=1; path=', { path: '/shop' }],
    ['a=1; Domain=app.test', { domain: 'app.test', hostOnly: false }],
    ['a=1; Domain=.App.TEST', { domain: 'app.test', hostOnly: false }],
    ['a=1; Domain=www.app.test', { domain: 'www.app.test', hostOnly: false }],
    ['a=1; Domain=', { domain: 'www.app.test', hostOnly: true }],
    ['a=1; Secure; HttpOnly; SameSite=Lax', { secure: true, httpOnly: true }],
    ['a=1; secure; httponly', { secure: true, httpOnly: true }],
    ['a=1; Max-Age=60', { expires: now + 60_000 }],
    ['a=1; Max-Age=0', { expires: 0 }],
    ['a=1; Max-Age=-1', { expires: 0 }],
    ['a=1; Max-Age=soon', { expires: null }],
    ['a=1; Expires=Thu, 01 Jan 2026 00:01:00 GMT', { expires: now + 60_000 }],
    ['a=1; Expires=tomorrow', { expires: null }],
    ['a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', { expires: now + 60_000 }],
    ['a=', { name: 'a', value: '' }],
    ['a=b=c', { name: 'a', value: 'b=c' }],
    ['a=b%20c', { name: 'a', value: 'b%20c' }],
    ['a=%E0%A4%A', { name: 'a', value: '%E0%A4%A' }],
    ['__proto__=1', { name: '__proto__', value: '1' }],
    ['__Secure-a=1; Secure', { name: '__Secure-a' }],
    ['__Host-a=1; Secure; Path=/', { name: '__Host-a', path: '/' }],
  ])('reads %s', (header, part) => {
    expect(read(header)).toMatchObject(part)
  })

  it.each([
    ['https://app.test/', '/'],
    ['https://app.test/login', '/'],
    ['https://app.test/api/login', '/api'],
    ['https://app.test/api/', '/api'],
  ])('takes the folder of %s as its path: %s', (from, path) => {
    expect(read('a=1', new URL(from)).path).toBe(path)
  })

  it.each<[header: string, from: string, refusal: string]>([
    ['=1', url.href, 'it has no name'],
    ['', url.href, 'it has no name'],
    ['a=1; Domain=other.test', url.href, 'its domain "other.test" is not that of www.app.test'],
    ['a=1; Domain=pp.test', url.href, 'its domain "pp.test" is not that of www.app.test'],
    ['a=1; Domain=shop.www.app.test', url.href, 'its domain "shop.www.app.test" is not that of www.app.test'],
    ['a=1; Domain=test', url.href, 'its domain "test" is not that of www.app.test'],
    ['a=1; Domain=0.0.1', 'http://127.0.0.1/', 'its domain "0.0.1" is not that of 127.0.0.1'],
    ['a=1; Domain=app.test:443', url.href, 'its domain "app.test:443" is not that of www.app.test'],
    ['a=1; Secure', 'http://www.app.test/', 'it has the attribute Secure, and http://www.app.test is not secure'],
    ['a=1\u0001', url.href, 'it contains a control character'],
    [`a=${'1'.repeat(4096)}`, url.href, 'its name and value exceed 4096 bytes'],
    ['__Secure-a=1', url.href, 'its name demands the attribute Secure'],
    ['__Host-a=1; Secure', url.href, 'its name demands Path=/ and no Domain'],
    ['__Host-a=1; Secure; Path=/; Domain=app.test', url.href, 'its name demands Path=/ and no Domain'],
  ])('refuses "%s" of %s: %s', (header, from, refusal) => {
    expect(toStoredCookie(header, new URL(from), now)).toEqual({ refusal })
  })
})

describe('a public suffix', () => {
  const isPublicSuffix = (domain: string): boolean => ['co.test', 'pages.test'].includes(domain)

  it('is refused as a domain', () => {
    expect(toStoredCookie('a=1; Domain=co.test', new URL('https://shop.co.test/'), now, isPublicSuffix)).toEqual({
      refusal: 'its domain "co.test" is a public suffix, which no site owns',
    })
  })

  it('may set a cookie for itself only', () => {
    expect(toStoredCookie('a=1; Domain=pages.test', new URL('https://pages.test/'), now, isPublicSuffix)).toMatchObject(
      {
        domain: 'pages.test',
        hostOnly: true,
      },
    )
  })

  it('does not prevent a site below it from setting cookies for its own domain', () => {
    expect(
      toStoredCookie('a=1; Domain=shop.co.test', new URL('https://www.shop.co.test/'), now, isPublicSuffix),
    ).toMatchObject({ domain: 'shop.co.test', hostOnly: false })
  })
})

describe('isCookieFor', () => {
  it.each<[header: string, to: string, goesAlong: boolean]>([
    ['a=1; Path=/', 'https://www.app.test/', true],
    ['a=1; Path=/', 'http://www.app.test:8080/', true],
    ['a=1; Path=/', 'https://app.test/', false],
    ['a=1; Path=/', 'https://x.www.app.test/', false],
    ['a=1; Path=/; Domain=app.test', 'https://app.test/', true],
    ['a=1; Path=/; Domain=app.test', 'https://api.app.test/', true],
    ['a=1; Path=/; Domain=app.test', 'https://myapp.test/', false],
    ['a=1; Path=/shop', 'https://www.app.test/shop', true],
    ['a=1; Path=/shop', 'https://www.app.test/shop/cart', true],
    ['a=1; Path=/shop', 'https://www.app.test/shopping', false],
    ['a=1; Path=/shop/', 'https://www.app.test/shop/cart', true],
    ['a=1; Path=/shop/', 'https://www.app.test/shop', false],
    ['a=1; Path=/; Secure', 'https://www.app.test/', true],
    ['a=1; Path=/; Secure', 'http://www.app.test/', false],
  ])('%s to %s: %s', (header, to, goesAlong) => {
    expect(isCookieFor(read(header), new URL(to))).toBe(goesAlong)
  })

  it.each(['http://localhost:3000/', 'http://app.localhost/', 'http://127.0.0.1/', 'http://[::1]/'])(
    'treats %s as secure',
    (from) => {
      expect(isCookieFor(read('a=1; Secure', new URL(from)), new URL(from))).toBe(true)
    },
  )
})

describe('isSameCookie', () => {
  it.each<[other: string, isSame: boolean]>([
    ['a=2; Path=/; Secure; HttpOnly; Max-Age=5', true],
    ['b=1; Path=/', false],
    ['a=1; Path=/shop', false],
    ['a=1; Path=/; Domain=www.app.test', false],
  ])('a=1; Path=/ and %s: %s', (other, isSame) => {
    expect(isSameCookie(read('a=1; Path=/'), read(other))).toBe(isSame)
  })
})
