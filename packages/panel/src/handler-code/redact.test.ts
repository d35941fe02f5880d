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

test.each([
  [
    'a form',
    'access_token=abc&scope=repo&user[password]=x',
    'access_token=redacted&scope=repo&user[password]=redacted',
  ],
  ['a URL', 'https://a.test/b?api_key=abc#c', 'https://a.test/b?api_key=redacted#c'],
  [
    'JSON with a prefix',
    `)]}',\n{"token" : "a\\"b","name":"Ada","token":""}`,
    `)]}',\n{"token" : "redacted","name":"Ada","token":""}`,
  ],
  ['lines of JSON', '{"password":"a"}\n{"password":"b"}', '{"password":"redacted"}\n{"password":"redacted"}'],
  [
    'a page',
    '<input type="hidden" name="csrf_token" value="a"><meta name="csrf-token" content="b"><input name="q" value="c">',
    '<input type="hidden" name="csrf_token" value="redacted"><meta name="csrf-token" content="redacted"><input name="q" value="c">',
  ],
  [
    'headers',
    'Set-Cookie: id=1; Path=/\nAge: 1\nauthorization: Token x',
    'Set-Cookie: redacted\nAge: 1\nauthorization: redacted',
  ],
  [
    'keys of services',
    `AKIA${'A1'.repeat(8)} ghp_${'a'.repeat(36)} sk-live-${'a'.repeat(20)}`,
    'redacted redacted redacted',
  ],
  ['other texts', 'token: none, sk-live, name="token", cookies=', 'token: none, sk-live, name="token", cookies='],
])('secrets are replaced in %s', (_, text, redacted) => {
  expect(redactText(text)).toBe(redacted)
})

test('the secrets of a multipart body are replaced, and its other parts stay', () => {
  const part = (headers: string, body: string): string =>
    `--x-1\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n`
  const key = '-----BEGIN PRIVATE KEY-----\r\nabc\r\n\r\ndef\r\n-----END PRIVATE KEY-----'
  const write = (...secrets: readonly string[]): string =>
    [
      part('name="user"', 'Ada'),
      part('name="password"', secrets[0] ?? ''),
      part('name=csrf_token', secrets[1] ?? ''),
      part('name="private-key"; filename="a.pem"\r\nContent-Type: application/x-pem-file', secrets[2] ?? ''),
      part('name="file"; filename="token.txt"', 'not a secret, password'),
      part('name="secret"', ''),
    ].join('') + '--x-1--\r\n'
  const redacted = write('redacted', 'redacted', 'redacted')
  expect(redactText(write('hunter2', 'a\r\n\r\nb', key))).toBe(redacted)
  expect(redactText(`A preamble.\r\n${write('hunter2', 'b', key)}`)).toBe(`A preamble.\r\n${redacted}`)
  expect(redactText(write('hunter2', 'b', key).replaceAll('\r\n', '\n'))).toBe(redacted.replaceAll('\r\n', '\n'))
  expect(redactJson({ sent: write('hunter2', 'b', key) }).value).toEqual({ sent: redacted })
  // A body that was cut.
  expect(redactText(part('name="password"', 'hunter2').trimEnd())).toBe(part('name="password"', 'redacted').trimEnd())
})

test('the time for a long text is not quadratic', () => {
  for (const unit of [
    'a',
    'token',
    'token=',
    '"token":"',
    'name="token" ',
    'cookie:',
    'eyJ',
    'eyJ-',
    'eyJabcde.',
    'a@',
    '?a=',
    '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n',
  ]) {
    expect(redactText(unit.repeat(500_000 / unit.length)).length).toBeGreaterThan(0)
  }
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
