import type { InspectedBody, LoggedRequest, RequestDetails } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import type { PanelHost } from '../panel-host.ts'
import { createRequest } from '../testing/create-request.ts'
import { isFinal, isSelectedAtFirst, toReviewEntry, type ReviewEntry } from './review-entry.ts'

const host = { getState: () => null } as unknown as PanelHost
const json: InspectedBody = { type: 'application/json', size: 2, isComplete: true, text: '{}', base64: null }

function review(
  given: Partial<LoggedRequest> = {},
  response: Partial<InspectedBody> | null = {},
  request: InspectedBody | null = null,
): ReviewEntry {
  const details: RequestDetails = {
    headers: null,
    bodies: { request, response: response && { ...json, ...response } },
    frames: [],
  }
  return toReviewEntry(createRequest('1', { status: 200, ...given }), details, host)
}

test.each<[obstacle: string, isFinal: boolean, entry: ReviewEntry]>([
  ['No response', false, review({ status: null })],
  ['The body is too long', true, review({}, { text: null, base64: 'A'.repeat(500_001) })],
  ['The body is not complete', false, review({}, { isComplete: false })],
  ['The body is not complete', true, review({}, { isComplete: false, text: 'x'.repeat(500_001) })],
  ['The body is too long', true, review({}, { text: 'x'.repeat(500_001) })],
  ['The URL is too long', true, review({ url: `http://localhost/${'a'.repeat(2000)}` })],
  // The dev server would refuse it, and all others with it.
  ['It cannot be saved', true, review({}, { type: `text/plain;${'a'.repeat(500)}` })],
  ['The page is gone', true, toReviewEntry(createRequest('1', {}), null, host)],
])('%s', (obstacle, isLast, entry) => {
  expect(entry).toMatchObject({ obstacle, exchange: null })
  expect(isSelectedAtFirst(entry)).toBe(false)
  expect(isFinal(entry)).toBe(isLast)
})

test('a response that can be saved is selected, except documents, preflight requests and redirects', () => {
  expect(review()).toMatchObject({ obstacle: null, exchange: { status: 200, text: '{}' } })
  const selected = [{}, { status: 404 }, { method: 'DELETE', status: 204 }].map((given) => review(given))
  const others = [{ method: 'OPTIONS' }, { status: 302 }, { status: 304 }].map((given) => review(given, null))
  expect(selected.map(isSelectedAtFirst)).toEqual([true, true, true])
  expect([...others, review({}, { type: 'text/html; charset=utf-8' })].map(isSelectedAtFirst)).toEqual(
    Array.from({ length: 4 }, () => false),
  )
})

test('the operation of a GraphQL request is read from its body', () => {
  const body = { ...json, text: '{"query":"query GetUser { user }"}' }
  expect(review({ method: 'POST' }, {}, body).exchange?.name).toBe('query GetUser')
  expect(review({ method: 'POST', name: 'query Known' }, {}, body).exchange?.name).toBe('query Known')
})
