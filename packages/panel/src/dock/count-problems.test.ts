import type { LoggedRequest } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { countProblems, describeProblems } from './count-problems.ts'

const request: LoggedRequest = {
  id: '1',
  method: 'GET',
  url: 'http://localhost/api/user',
  name: null,
  startedAt: 0,
  matchedAfter: null,
  duration: 1,
  respondedAfter: null,
  outcome: 'unhandled',
  status: null,
  statusText: null,
  error: null,
  thrown: null,
  handler: null,
  forced: null,
  noResponse: [],
  nearest: [],
  suggestion: "http.get('/api/user', …)",
}
const handler = { id: 1, header: 'GET /api/user' }
const thrown = { name: 'TypeError', message: 'no', stack: null }

test('equal unhandled requests count once, and those with a handler by now do not count', () => {
  const other = { ...request, id: '2', url: 'http://localhost/api/plays', suggestion: "http.get('/api/plays', …)" }
  expect(countProblems([request, { ...request, id: '3' }, other])).toEqual({ unhandled: 2, errors: 0 })
  const answered: LoggedRequest = { ...request, id: '4', outcome: 'mocked', handler, suggestion: null }
  expect(countProblems([answered, request, other])).toEqual({ unhandled: 1, errors: 0 })
})

test('a resolver that threw is an error', () => {
  const failed = { ...request, outcome: 'mocked', handler, suggestion: null, thrown } as unknown as LoggedRequest
  expect(countProblems([failed, failed])).toEqual({ unhandled: 0, errors: 2 })
})

test('the description contains only existing problems', () => {
  expect(describeProblems({ unhandled: 0, errors: 0 })).toBe('')
  expect(describeProblems({ unhandled: 1, errors: 0 })).toBe('1 unhandled request')
  expect(describeProblems({ unhandled: 2, errors: 1 })).toBe('2 unhandled requests, 1 error')
  expect(describeProblems({ unhandled: 0, errors: 2 }, true)).toBe('recording, 2 errors')
})
