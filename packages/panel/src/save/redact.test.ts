import fc from 'fast-check'
import { expect, test } from 'vitest'

import { redactJson, redactText } from './redact.ts'

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

test('secrets are replaced by values of the same type', () => {
  const { value, redacted } = redactJson({
    name: 'Ada',
    email: 'ada@corp.test',
    accessToken: 'abc',
    pin: 1234,
    hasPassword: true,
    session_id: { value: 'x', list: ['y'] },
    note: `see ${jwt}`,
    apiKey: null,
    header: 'Bearer abcdefghijkl',
  })
  expect(value).toEqual({
    name: 'Ada',
    email: 'person@example.com',
    accessToken: 'redacted',
    pin: 0,
    hasPassword: true,
    session_id: { value: 'redacted', list: ['redacted'] },
    note: 'see redacted',
    apiKey: null,
    header: 'Bearer redacted',
  })
  expect(redacted).toEqual(['email', 'accessToken', 'pin', 'session_id.value', 'session_id.list[]', 'note', 'header'])
})

test('lists are shortened to three items, and secrets of removed items are not mentioned', () => {
  const { value, redacted, shortened } = redactJson({ users: [{ n: [1, 2, 3, 4, 5] }, 2, 3, { token: 'a' }] })
  expect(value).toEqual({ users: [{ n: [1, 2, 3] }, 2, 3] })
  expect(shortened).toEqual([
    ['users', 4],
    ['users[].n', 5],
  ])
  expect(redacted).toEqual([])
})

test('a name that is an e-mail address is replaced', () => {
  expect(redactJson({ 'ada@corp.test': 1 })).toMatchObject({
    value: { 'person@example.com': 1 },
    redacted: ['person@example.com'],
  })
})

test('text without secrets stays as it is', () => {
  expect(redactText('a @ b, eyJ, user@localhost, 1.2.3')).toBe('a @ b, eyJ, user@localhost, 1.2.3')
})

test('no e-mail address and no JWT remains in any value', () => {
  const secret = fc.oneof(fc.emailAddress(), fc.constant(jwt))
  fc.assert(
    fc.property(secret, fc.jsonValue(), fc.string(), (text, around, name) => {
      const { value } = redactJson({ around, [name]: [{ text: `a ${text} b` }] })
      expect(JSON.stringify(value)).not.toContain(JSON.stringify(text).slice(1, -1))
    }),
  )
})
