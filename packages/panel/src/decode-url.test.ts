import { expect, test } from 'vitest'

import { decodeUrl } from './decode-url.ts'

test.each([
  ['/caf%C3%A9?q=%e6%89%8b%E5%86%8C', '/café?q=手册'],
  ['/%EF%BC%88%EF%BC%91%EF%BC%89%EF%BC%81/%F0%A0%AE%B7', '/（１）！/𠮷'],
  ['/a%CC%81/%F0%9F%8E%89', '/a%CC%81/🎉'],
  ['/%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80', '/हिन्दी'],
])('%s is shown as %s', (url, shown) => {
  expect(decodeUrl(url)).toBe(shown)
})

test.each([
  ['delimiters and spaces', '/a%2Fb%3Fc%23d%26e%3Df%25%20'],
  ['control characters', '/%00%0A%7F%C2%85'],
  ['spaces that are not ASCII', '/%C2%A0%E2%80%A8%E3%80%80'],
  ['marks of direction', '/%E2%80%AE%E2%81%A6%D8%9C'],
  ['letters from right to left', '/%D7%A9%D7%9C%D7%95%D7%9D/%D9%84/1'],
  ['characters without a width', '/%E2%80%8B%EF%BB%BF%E3%85%A4%F3%A0%80%81'],
  ['what looks like a delimiter', '/a%EF%BC%8Fb%E2%88%95c%EF%BC%9Fd'],
  ['what looks like &, =, . and :', '/a%EF%BC%86b%EF%BC%9Dc%EF%BC%8Ed%E2%80%A4e%E2%88%B6f'],
  ['small forms of delimiters', '/a%EF%B9%A0b%EF%B9%A6c%EF%B9%96'],
  ['other slashes', '/a%E2%A7%B8b%E2%95%B1c'],
  ['old and new scripts from right to left', '/%F0%90%A4%80%F0%90%A0%80/%F0%9E%A4%80/%F0%9E%BB%B0'],
  ['a mark after a slash', '/%CC%B8'],
  ['Latin-1', '/caf%E9'],
  ['a cut sequence', '/%E6%89'],
  ['an encoding that is longer than needed', '/%C0%AF'],
  ['half of a pair', '/%ED%A0%80'],
  ['a percent sign', '/100%'],
])('%s stay encoded', (_what, url) => {
  expect(decodeUrl(url)).toBe(url)
})
