import moreDates from 'tough-cookie-2/test/ietf_data/dates/bsd-examples.json' with { type: 'json' }
import dates from 'tough-cookie-2/test/ietf_data/dates/examples.json' with { type: 'json' }
import cases from 'tough-cookie-2/test/ietf_data/parser.json' with { type: 'json' }
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { CookieJar } from './cookie-jar.ts'
import { parseCookieDate } from './parse-set-cookie.ts'

// The test suite of the IETF's http-state working group, which wrote RFC 6265, from the package `tough-cookie`.

interface Case {
  test: string
  received: string[]
  sent: { name: string; value: string }[]
  'sent-to'?: string
}

/** Cases with a different result, each with the reason. */
const exceptions: Record<string, { reason: string; sent: Case['sent'] }> = {
  DISABLED_CHROMIUM0022: { reason: 'RFC 6265bis, section 5.6: a control character makes the cookie invalid', sent: [] },
  DISABLED_CHROMIUM0023: { reason: 'RFC 6265bis, section 5.6: a control character makes the cookie invalid', sent: [] },
  DISABLED_PATH0029: { reason: 'RFC 6265, section 5.1.4: paths are compared as they are, without decoding', sent: [] },
}

const include: RequestInit = { credentials: 'include' }

beforeEach(() => {
  // The dates of the suite are in the past now.
  vi.useFakeTimers({ now: Date.UTC(2013, 0, 1), toFake: ['Date'] })
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  // A page stores cookies for the next jar.
  new CookieJar().clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the http-state suite', () => {
  it('has its 222 cases', () => {
    expect(cases).toHaveLength(222)
  })

  it.each(cases as Case[])('$test', ({ test, received, sent, 'sent-to': sentTo }) => {
    const jar = new CookieJar()
    void jar.store(new Request(`http://home.example.org/cookie-parser?${test}`, include), received)
    const to = new URL(sentTo ?? `/cookie-parser-result?${test}`, 'http://home.example.org')
    const pairs = (exceptions[test]?.sent ?? sent).map(({ name, value }) => `${name}=${value}`)
    expect(jar.headerFor(new Request(to, include))).toBe(pairs.join('; '))
  })

  it.each([...dates, ...moreDates] as { test: string; expected: string | null }[])(
    'reads the date "$test" as $expected',
    ({ test, expected }) => {
      const date = parseCookieDate(test)
      expect(date === undefined ? null : new Date(date).toUTCString()).toBe(expected)
    },
  )
})
