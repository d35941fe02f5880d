import type { InspectedBody, RequestDetails } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { bodyLimit } from '../handler-code/exchange.ts'
import { createRequest } from '../testing/create-request.ts'
import { withFile } from './read-body-file.ts'
import { statusOptions, toDraft, toEditedParts, toOverride, warnOfBody } from './response-draft.ts'

const request = createRequest('a', { status: 201 })

function createDetails(text: string | null, more: Partial<InspectedBody> = {}): RequestDetails {
  const body = { type: 'application/json', size: 1, isComplete: true, text, base64: null, ...more }
  const response = [
    ['content-type', 'application/json'],
    ['content-length', '14'],
  ] as const
  return { headers: { request: [], response }, bodies: { request: null, response: body }, frames: [] }
}

const original = toDraft(request, createDetails('{"name":"Ada"}'))

test('a draft has the status, the headers and the indented body', () => {
  expect(original).toEqual({
    status: '201',
    headers: 'content-type: application/json',
    body: '{\n  "name": "Ada"\n}',
    base64: null,
  })
  expect(toDraft(request, createDetails('{"na')).body).toBe('{"na')
  const details = createDetails('')
  expect(toDraft(request, { ...details, bodies: { request: null, response: null } }).body).toBe('')
})

test('a body with numbers that JavaScript cannot represent keeps their digits', () => {
  const text = '{"id":12345678901234567890}'
  expect(toDraft(request, createDetails(text)).body).toBe('{\n  "id": 12345678901234567890\n}')
})

test.each<[string, RequestDetails]>([
  ['bytes', createDetails(null, { base64: 'AA==' })],
  ['a part of a body', createDetails('{"name"', { isComplete: false })],
  ['a very long text', createDetails('a'.repeat(200_001))],
])('%s cannot be edited', (_, details) => {
  const draft = toDraft(request, details)
  expect(draft.body).toBe(null)
  expect(toOverride({ ...draft, status: '500' }, draft, null)).toEqual({ status: 500 })
})

test('bytes stay if only the status and the headers are edited, and a file replaces them', async () => {
  const draft = toDraft(request, createDetails(null, { type: 'image/png', base64: 'AP8=' }))
  expect(draft).toMatchObject({ body: null, base64: 'AP8=' })
  expect(toOverride({ ...draft, headers: 'a: b' }, draft, null)).toEqual({ headers: [['a', 'b']] })
  expect(toEditedParts({ ...draft, status: '404' }, draft)).toEqual({
    status: 404,
    headers: [],
    text: null,
    base64: 'AP8=',
  })
  const image = await withFile(draft, new File([new Uint8Array([0, 1])], 'a.gif', { type: 'image/gif' }))
  expect(image).toEqual({ status: '201', headers: 'content-type: image/gif', body: null, base64: 'AAE=' })
  const bytes = { body: 'AAE=', bodyEncoding: 'base64' }
  expect(toOverride(image, draft, { body: 'before', delay: 5 })).toEqual({
    ...bytes,
    delay: 5,
    headers: [['content-type', 'image/gif']],
  })
  expect(toEditedParts(image, draft)).toMatchObject({ text: null, base64: 'AAE=', type: 'image/gif' })
  // A text replaces the bytes of an override, and its encoding.
  const text = await withFile(image, new File(['<b>Grüße</b>'], 'a.unknown'))
  expect(text).toEqual({ ...image, body: '<b>Grüße</b>', base64: null })
  expect(toOverride({ ...text, headers: draft.headers }, draft, { ...image, ...bytes } as never)).toMatchObject({
    body: '<b>Grüße</b>',
  })
  expect(toOverride(text, draft, bytes as never)).not.toHaveProperty('bodyEncoding')
  // A later edit of the headers keeps the bytes of the override.
  expect(toOverride({ ...draft, headers: 'a: b' }, draft, bytes as never)).toMatchObject(bytes)
})

test('a file that could not be saved as a handler is refused', async () => {
  const file = new File([new Uint8Array(375_001)], 'large.bin')
  await expect(withFile(original, file)).rejects.toThrow(
    'Failed to use large.bin: it has 375,001 bytes, and a response can be edited with up to 375,000. Choose a smaller file. (US0832)',
  )
  const largest = await withFile(original, new File([new Uint8Array(375_000)], 'large.bin'))
  expect(largest.base64).toHaveLength(bodyLimit)
})

test('only changes are overridden, and an existing override stays', () => {
  expect(toOverride(original, original, null)).toBe(null)
  expect(toOverride({ ...original, body: '' }, original, null)).toEqual({ body: '' })
  expect(toOverride({ ...original, headers: 'a: b: c\n\n D :e ' }, original, { delay: 5, body: 'x' })).toEqual({
    delay: 5,
    body: 'x',
    headers: [
      ['a', 'b: c'],
      ['D', 'e'],
    ],
  })
  expect(toOverride({ ...original, status: '500' }, original, { networkError: true })).toEqual({ status: 500 })
})

test.each(['no colon', ': value', 'not a name: value', 'a: \0'])(
  'headers that are not valid are refused: %s',
  (line) => {
    const message = /^Failed to edit the response: ".*" is not a header\. Write name: value\. \(US0844\)$/
    expect(() => toOverride({ ...original, headers: line }, original, null)).toThrow(message)
  },
)

test('a body that is not JSON gets a hint', () => {
  expect(warnOfBody(original)).toBe(null)
  expect(warnOfBody({ ...original, body: '{' })).toBe('The body is not valid JSON.')
  expect(warnOfBody({ ...original, headers: 'content-type: text/plain', body: '{' })).toBe(null)
  expect(warnOfBody({ ...original, body: '' })).toBe(null)
})

test('the status of the response can be chosen', () => {
  expect(statusOptions('418')[0]).toEqual({ value: '418', label: '418' })
  expect(statusOptions('200')[0]).toEqual({ value: '200', label: '200 OK' })
})
