import type { InspectedBody, RequestDetails } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { createRequest } from '../testing/create-request.ts'
import { statusOptions, toDraft, toOverride, warnOfBody } from './response-draft.ts'

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
  })
  expect(toDraft(request, createDetails('{"na')).body).toBe('{"na')
  const details = createDetails('')
  expect(toDraft(request, { ...details, bodies: { request: null, response: null } }).body).toBe('')
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
