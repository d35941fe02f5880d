import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'

import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { isPublicSuffix } from './public-suffixes.ts'
import { setupServer } from './setup-server.ts'

it.each([
  ['co.uk', true],
  ['com', true],
  ['github.io', true],
  ['xn--p1ai', true],
  ['kawasaki.jp', true],
  ['city.kawasaki.jp', false],
  ['example.co.uk', false],
  ['understudy.github.io', false],
  ['example.com', false],
  ['app.test', false],
  ['test', false],
  ['localhost', false],
  ['127.0.0.1', false],
  ['__proto__', false],
  ['constructor', false],
])('isPublicSuffix(%o) is %o', (domain, expected) => {
  expect(isPublicSuffix(domain)).toBe(expected)
})

const server = setupServer(
  http.get('*/set', () => HttpResponse.text('', { headers: { 'Set-Cookie': 'a=1; Domain=github.io; Path=/' } })),
  http.get('*/own', () => HttpResponse.text('', { headers: { 'Set-Cookie': 'b=2; Domain=me.github.io; Path=/' } })),
  http.get('*/told', ({ request }) => HttpResponse.text(request.headers.get('cookie') ?? 'nothing')),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.cookies.clear()
  vi.restoreAllMocks()
})
afterAll(() => server.close())

it('a mocked response sets no cookie for a public suffix', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  await fetch('https://me.github.io/set')
  await fetch('https://me.github.io/own')
  const told = await Promise.all(
    ['me', 'other'].map(async (site) => (await fetch(`https://${site}.github.io/told`)).text()),
  )
  expect(told).toEqual(['b=2', 'nothing'])
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    '[understudy] Failed to set the cookie "a=1; Domain=github.io; Path=/" for https://me.github.io/set: ' +
      'its domain "github.io" is a public suffix, which no site owns. A browser would refuse it too. (US0701)',
  )
})
