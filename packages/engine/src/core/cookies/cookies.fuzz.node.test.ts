import fc from 'fast-check'
import { CookieJar as ToughJar, parseDate } from 'tough-cookie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { fuzzSettings } from '../../testing/fuzz-settings.ts'
import { mergeCookies, parseCookies, splitCookies } from './cookie-header.ts'
import { CookieJar } from './cookie-jar.ts'
import corpus from './cookies.corpus.json' with { type: 'json' }
import { parseCookieDate, parseSetCookie } from './parse-set-cookie.ts'

const now = Date.UTC(2026, 0, 1)

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const name = fc.constantFrom('a', 'b', 'A', 'a b', '__proto__', 'constructor', '__Host-a', '__Secure-a', '$x', '')
const value = fc.constantFrom('1', '', 'x=y', '"q"', 'a b', '%20', '%E0%A4%A', 'é', ',', '\\', '{}')
const blank = fc.constantFrom('', ' ', '\t', '  ')
const number = fc.oneof(
  fc.integer({ min: -9, max: 99 }).map(String),
  fc.constantFrom('', '+1', '1.5', '1e3', 'soon', '00'),
)
const part = fc.oneof(
  fc.nat({ max: 99 }).map(String),
  fc.constantFrom(
    'Jan',
    'feb',
    'December',
    'Thu',
    'GMT',
    '2027',
    '99',
    '1600',
    '00:00:00',
    '23:59:59',
    '24:00:00',
    '1:2:3',
  ),
  fc.constantFrom('-0400', '31', '29', '', 'ja', 'xJan', '1:2', '1:2:3:4', '12345'),
)
const date = fc.oneof(
  fc
    .date({ min: new Date(now - 1e9), max: new Date(now + 1e9), noInvalidDate: true })
    .map((each) => each.toUTCString()),
  fc.tuple(fc.array(part, { maxLength: 8 }), fc.constantFrom(' ', '-', ', ', '/')).map(([parts, by]) => parts.join(by)),
)
const attribute = fc.oneof(
  fc.constantFrom('Path=/', 'Path=/shop', 'Path=/shop/', 'path=shop', 'PATH', 'Path="/"', 'Path=/a;Path=/'),
  fc.constantFrom('Domain=app.test', 'Domain=.app.test', 'domain=APP.TEST', 'Domain=other.test', 'Domain=1.2.3.4'),
  fc.constantFrom('Secure', 'secure=x', 'HttpOnly', 'SameSite=Lax', 'x=y', '=', ''),
  number.map((text) => `Max-Age=${text}`),
  date.map((text) => `Expires=${text}`),
)
const spaced = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(blank, text, blank).map(([before, each, after]) => before + each + after)
const setCookie = fc
  .tuple(spaced(name), fc.constantFrom('=', '=', '=', ''), spaced(value), fc.array(spaced(attribute), { maxLength: 4 }))
  .map(([key, equals, text, attributes]) => [key + equals + text, ...attributes].join(';'))
const url = fc.constantFrom(
  'https://www.app.test/shop/cart',
  'https://www.app.test/',
  'https://api.www.app.test/shop/',
  'https://other.test/shop/cart',
  'https://1.2.3.4/',
)
const step = fc.record({ url, setCookies: fc.array(setCookie, { maxLength: 3 }) })

/**
 * The jar and tough-cookie differ on purpose in these cases, which are not compared:
 * - A nameless cookie is refused here, with or without "=".
 * - tough-cookie stores a cookie that does not meet the conditions of its name prefix.
 * - A tab inside a name or value belongs to it (RFC 6265bis, section 5.6); tough-cookie ends the cookie there.
 * - A host-only cookie and a cookie for the host's domain are two cookies (RFC 6265bis, section 5.7); for tough-cookie,
 *   they are one. So no URL has a host that cookies name as their domain.
 */
function isComparable(header: string, from: string): boolean {
  const { name: key, value: text, domain } = parseSetCookie(header)
  return !(/^(?:__(?:secure|host)-|$)/i.test(key) || domain === new URL(from).hostname || /\t/.test(key + text))
}

describe('the jar', () => {
  it('sends the same cookies as tough-cookie', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), url, (steps, to) => {
        const jar = new CookieJar()
        const tough = new ToughJar(undefined, { rejectPublicSuffixes: false })
        for (const { url: from, setCookies } of steps) {
          for (const header of setCookies.filter((each) => isComparable(each, from))) {
            void jar.store(new Request(from), [header])
            tough.setCookieSync(header, from, { ignoreError: true })
          }
        }
        // A cookie that was deleted and set again is new in this jar; tough-cookie keeps its old position.
        const isDeleting = steps.some(({ setCookies }) => setCookies.some((each) => /max-age|expires/i.test(each)))
        const inOrder = (header: string): string[] => (isDeleting ? header.split('; ').sort() : header.split('; '))
        expect(inOrder(jar.headerFor(new Request(to)))).toEqual(inOrder(tough.getCookieStringSync(to)))
      }),
      fuzzSettings(corpus.jar.map(({ steps, to }) => [steps, to] as [typeof steps, string])),
    )
  })

  it('accepts any text, reaches no prototype, and sends no cookie to another site', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), setCookie), { maxLength: 5 }), (setCookies) => {
        const jar = new CookieJar()
        void jar.store(new Request('https://www.app.test/'), setCookies)
        expect(jar.headerFor(new Request('https://other.test/'))).toBe('')
        const cookies = parseCookies(jar.headerFor(new Request('https://www.app.test/')))
        expect(Object.getPrototypeOf(cookies)).toBe(Object.prototype)
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      fuzzSettings(corpus.texts.map((texts) => [texts] as [string[]])),
    )
  })
})

it('a date is read like in tough-cookie', () => {
  fc.assert(
    fc.property(fc.oneof(date, fc.string()), (text) => {
      expect(parseCookieDate(text)).toBe(parseDate(text)?.getTime())
    }),
    fuzzSettings(
      corpus.dates.map((text) => [text] as [string]),
      5_000,
    ),
  )
})

it('a merged Cookie header has each pair of both sides once, those that were sent first', () => {
  const pair = fc
    .tuple(
      name,
      value.filter((text) => !text.includes(';')),
    )
    .map(([key, text]) => `${key}=${text}`)
  const header = fc.array(pair, { maxLength: 5 }).map((pairs) => pairs.join('; '))
  fc.assert(
    fc.property(header, header, (sent, carried) => {
      const merged = mergeCookies(sent, carried)
      const names = new Set(splitCookies(sent).map(([key]) => key))
      const others = splitCookies(carried).filter(([key]) => !names.has(key))
      expect(splitCookies(merged)).toEqual([...splitCookies(sent), ...others])
      expect(parseCookies(merged)).toEqual({ ...parseCookies(carried), ...parseCookies(sent) })
    }),
    fuzzSettings<[string, string]>([['__proto__=1', '__proto__=2; a=3']]),
  )
})
