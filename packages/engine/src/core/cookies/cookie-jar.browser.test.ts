import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { parseCookies } from './cookie-header.ts'
import type { CookieJar } from './cookie-jar.ts'

/** Each test gets a separate page, because `document.cookie` depends on the path from which a page was loaded. */
let page: Window & typeof globalThis
let jar: CookieJar

async function load(path: string): Promise<void> {
  document.querySelector('iframe')?.remove()
  const frame = document.createElement('iframe')
  frame.src = path
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  await loaded
  page = frame.contentWindow as typeof page
  const module = new URL('./cookie-jar.ts', import.meta.url).href
  const { CookieJar: Jar } = (await page.eval(`import(${JSON.stringify(module)})`)) as { CookieJar: typeof CookieJar }
  jar = new Jar()
}

function deleteDocumentCookies(): void {
  for (const text of page.document.cookie.split('; ')) {
    const name = text.split('=')[0] ?? ''
    for (const path of ['/', '/shop', '/shop/cart']) page.document.cookie = `${name}=; Path=${path}; Max-Age=0`
  }
}

function respond(url: string, setCookies: string[], init?: RequestInit): void {
  void jar.store(new Request(url, init), setCookies)
}

function cookies(url: string, init?: RequestInit): Record<string, string> {
  return { ...parseCookies(jar.headerFor(new Request(url, init))) }
}

beforeEach(async () => {
  await load('/shop/cart')
})
afterEach(() => {
  deleteDocumentCookies()
  localStorage.clear()
  page.frameElement?.remove()
  vi.restoreAllMocks()
})

describe('document.cookie shows', () => {
  it.each<[setCookie: string, shown: string]>([
    ['a=1', 'a=1'],
    ['a=1; Path=/', 'a=1'],
    ['a=1; Path=/shop; Max-Age=60', 'a=1'],
    ['a=1; Path=/api', ''],
    ['a=1; HttpOnly', ''],
    ['a=1; Secure', 'a=1'],
    ['a=1; Max-Age=0', ''],
    ['a=b%20c', 'a=b%20c'],
  ])('%s as "%s"', (setCookie, shown) => {
    respond('/shop/login', [setCookie])
    expect(page.document.cookie).toBe(shown)
  })

  it('a cookie without a path, for the folder of the request', async () => {
    respond('/login', ['a=1'])
    await load('/')
    expect(page.document.cookie).toBe('a=1')
  })

  it('nothing for a request to another origin, or without credentials', () => {
    respond('https://other.test/', ['a=1'], { credentials: 'include' })
    respond('/shop/login', ['b=2'], { credentials: 'omit' })
    expect(page.document.cookie).toBe('')
  })

  it('no cookie that a response has deleted', () => {
    respond('/shop/login', ['a=1', 'b=2'])
    respond('/shop/login', ['a=; Max-Age=0'])
    expect(page.document.cookie).toBe('b=2')
  })
})

describe('a request carries', () => {
  it("the document's cookies, and those that it does not show", () => {
    page.document.cookie = 'own=0; Path=/'
    respond('/shop/login', ['a=1; Path=/', 'b=2; HttpOnly; Path=/', 'c=3; Path=/api'])
    expect(cookies('/shop/cart')).toEqual({ own: '0', a: '1', b: '2' })
    expect(cookies('/api/user')).toEqual({ own: '0', a: '1', b: '2', c: '3' })
  })

  it('the value that the app has set since', () => {
    respond('/shop/login', ['a=1; Path=/', 'b=2; Path=/'])
    page.document.cookie = 'a=changed; Path=/'
    page.document.cookie = 'b=; Path=/; Max-Age=0'
    expect(cookies('/shop/cart')).toEqual({ a: 'changed' })
  })

  it('no cookie of another path that the document shows', () => {
    respond('/shop/login', ['a=1; Path=/shop', 'b=2; Path=/'])
    expect(cookies('/api/user')).toEqual({ b: '2' })
  })

  it('no cookie of the document to another origin', () => {
    page.document.cookie = 'own=0; Path=/'
    expect(cookies('https://other.test/', { credentials: 'include' })).toEqual({})
  })

  it('the cookies of its host on another port too, where it asks for credentials', () => {
    const api = `http://${location.hostname}:4000/user`
    page.document.cookie = 'own=0; Path=/'
    respond(api, ['a=1; Path=/', 'b=2; Path=/; HttpOnly'], { credentials: 'include' })
    expect(cookies(api, { credentials: 'include' })).toEqual({ own: '0', a: '1', b: '2' })
    expect(cookies(api)).toEqual({})
  })
})

describe('a page that has moved by the History interface', () => {
  it('carries and keeps a cookie of the path that it moved to', async () => {
    await load('/')
    page.history.pushState(null, '', '/shop/cart')
    respond('/shop/login', ['a=1; Path=/shop'])
    expect([cookies('/shop/cart'), cookies('/')]).toEqual([{ a: '1' }, {}])
    await load('/shop/cart')
    expect(page.document.cookie).toBe('a=1')
    expect(cookies('/shop/cart')).toEqual({ a: '1' })
  })

  it('carries a cookie of the path that it was loaded from', () => {
    page.history.pushState(null, '', '/')
    respond('/shop/login', ['a=1; Path=/shop'])
    expect([cookies('/shop/cart'), cookies('/')]).toEqual([{ a: '1' }, {}])
  })
})

describe('a reload', () => {
  it('keeps the cookies', async () => {
    respond('/shop/login', ['a=1; Path=/', 'b=2; HttpOnly; Path=/', 'c=3; HttpOnly; Max-Age=60; Path=/'])
    await load('/shop/cart')
    expect(cookies('/shop/cart')).toEqual({ a: '1', b: '2', c: '3' })
  })

  it.each(['{', '[1, null, {}]', '{"version":"tough-cookie@5"}', '"text"'])(
    'ignores invalid content of the storage: %s',
    async (text) => {
      localStorage.setItem('understudy:cookies', text)
      await load('/shop/cart')
      expect(cookies('/shop/cart')).toEqual({})
      respond('/shop/login', ['a=1; HttpOnly'])
      expect(cookies('/shop/cart')).toEqual({ a: '1' })
    },
  )

  it('a full storage only loses the cookies at a reload', () => {
    vi.spyOn(page.Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    respond('/shop/login', ['a=1; HttpOnly'])
    expect(cookies('/shop/cart')).toEqual({ a: '1' })
  })
})

describe('clear', () => {
  it('deletes the cookies of responses, and none of the app', async () => {
    page.document.cookie = 'own=0; Path=/'
    respond('/shop/login', ['a=1; Path=/', 'b=2; HttpOnly', 'c=3'])
    respond('https://other.test/', ['own=1; Path=/'], { credentials: 'include' })
    jar.clear()
    expect(page.document.cookie).toBe('own=0')
    expect(cookies('/shop/cart')).toEqual({ own: '0' })
    expect(localStorage.length).toBe(0)
    await load('/shop/cart')
    expect(cookies('https://other.test/', { credentials: 'include' })).toEqual({})
  })

  it('deletes cookies that this page no longer shows', async () => {
    respond('/shop/login', ['a=1; Path=/shop'])
    await load('/')
    jar.clear()
    await load('/shop/cart')
    expect(page.document.cookie).toBe('')
  })
})
