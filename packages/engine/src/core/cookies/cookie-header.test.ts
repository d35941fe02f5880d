import { expect, it } from 'vitest'

import { parseCookies } from './cookie-header.ts'

it.each<[header: string, cookies: Record<string, string>]>([
  ['', {}],
  ['a=1; b=%20x', { a: '1', b: ' x' }],
])('the cookies of "%s" are a plain object, as in MSW', (header, cookies) => {
  const parsed = parseCookies(header)
  // Resolvers call methods of Object on it, and tests compare its prototype.
  expect(parsed).toStrictEqual(cookies)
  expect(Object.hasOwn(parsed, 'a')).toBe('a' in cookies)
  expect(parsed.hasOwnProperty('a')).toBe('a' in cookies)
})

it('a cookie named like a member of the prototype is its own member, and changes no prototype', () => {
  const parsed = parseCookies('__proto__=1; toString=2; __proto__=3; toString=4')
  expect(Object.entries(parsed)).toEqual([
    ['__proto__', '1'],
    ['toString', '2'],
  ])
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
})
