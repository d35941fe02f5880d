import { afterEach, describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { getResponse } from '../network/get-response.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { pageUrl } from './page-url.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the URL of the page', () => {
  it.each<[location: object | undefined, url: string | undefined]>([
    [undefined, undefined],
    [{ href: 'https://app.test/shop/cart' }, 'https://app.test/shop/cart'],
    [{ href: 'http://localhost:3000/' }, 'http://localhost:3000/'],
    [{ href: 'about:blank' }, undefined],
    [{ href: 'file:///app/index.html' }, undefined],
    [{}, undefined],
  ])('with the location %o is %s', (location, url) => {
    vi.stubGlobal('location', location)
    expect(pageUrl()).toBe(url)
  })
})

it('is the base of relative paths, with its value at the time of the request', async () => {
  const handlers = [http.get('/user', () => HttpResponse.json({}))]
  const answers = async (url: string): Promise<boolean> => (await getResponse(handlers, new Request(url))) !== undefined

  expect([await answers('https://app.test/user'), await answers('https://api.test/user')]).toEqual([true, true])
  vi.stubGlobal('location', { href: 'https://app.test/shop/cart', origin: 'https://app.test' })
  expect([await answers('https://app.test/user'), await answers('https://api.test/user')]).toEqual([true, false])
  vi.stubGlobal('location', { href: 'https://api.test/', origin: 'https://api.test' })
  expect([await answers('https://app.test/user'), await answers('https://api.test/user')]).toEqual([false, true])
})
