import { expect, test } from 'vitest'

import type { Override } from '../core/handlers/override.ts'
import { HttpResponse, setCookiesOf } from '../core/responses/http-response.ts'
import { toAppliedOverride, toPlainOverride } from './apply-override.ts'

function create(): HttpResponse {
  return HttpResponse.json(
    { name: 'Ada' },
    { status: 201, statusText: 'Made', headers: { 'x-from': 'mock', 'set-cookie': 'a=1', 'content-length': '14' } },
  )
}

async function apply(override: Override, response: Response = create()) {
  const applied = toAppliedOverride(override)?.apply?.(response) ?? response
  const { status, statusText, headers } = applied
  const named = [...headers].filter(([name]) => name !== 'set-cookie')
  return { status, statusText, headers: named, cookies: setCookiesOf(applied), text: await applied.text() }
}

const written = {
  status: 201,
  statusText: 'Made',
  headers: [
    ['content-length', '14'],
    ['content-type', 'application/json'],
    ['x-from', 'mock'],
  ],
  cookies: ['a=1'],
  text: '{"name":"Ada"}',
}
const withoutLength = written.headers.slice(1)

test.each<[string, Override, object]>([
  ['a delay', { delay: 5 }, written],
  ['a status', { status: 503 }, { ...written, status: 503, statusText: 'Service Unavailable' }],
  ['a status without a body', { status: 204 }, { status: 204, headers: withoutLength, cookies: ['a=1'], text: '' }],
  ['a body', { body: '{}' }, { ...written, headers: withoutLength, text: '{}' }],
  ['bytes', { body: 'w7w=', bodyEncoding: 'base64' }, { ...written, headers: withoutLength, text: 'ü' }],
  [
    'bytes that are not Base64',
    { body: '%', bodyEncoding: 'base64' },
    { ...written, headers: withoutLength, text: '%' },
  ],
  ['an empty body', { body: '' }, { ...written, headers: withoutLength, text: '' }],
  ['headers', { headers: [['x-new', 'yes']] }, { ...written, headers: [['x-new', 'yes']] }],
  ['headers and a body', { headers: [], body: 'text' }, { ...written, headers: [], text: 'text' }],
  ['no headers', { headers: [] }, { ...written, headers: [] }],
  ['cookies', { headers: [['Set-Cookie', 'b=2']] }, { ...written, headers: [], cookies: ['b=2'] }],
  [
    'a body and a status without a body',
    { status: 304, body: 'text' },
    { status: 304, headers: withoutLength, text: '' },
  ],
])('%s', async (_, override, expected) => {
  expect(await apply(override)).toMatchObject(expected)
})

test('the stream of a replaced body is cancelled', async () => {
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    cancel() {
      isCancelled = true
    },
  })
  expect((await apply({ body: 'text' }, new HttpResponse(stream))).text).toBe('text')
  expect(isCancelled).toBe(true)
})

test('plain data has no function', () => {
  const override: Override = { status: 503, body: 'text', headers: [['a', 'b']] }
  expect(toPlainOverride(toAppliedOverride(override))).toEqual(override)
  expect(toPlainOverride(undefined)).toBe(null)
  expect(toAppliedOverride(null)).toBe(undefined)
})
