import { describe, expect, test } from 'vitest'

import { FailedRequests } from './failed-requests.ts'
import { RequestLog, type LoggedRequest } from './request-log.ts'

const failed = { url: 'https://app.test/user', startedAt: 1000, endedAt: 2000 }
const request = (change: Partial<LoggedRequest>): LoggedRequest => ({
  id: 'a',
  method: 'GET',
  url: 'https://app.test/user',
  name: null,
  startedAt: 1500,
  matchedAfter: null,
  duration: null,
  respondedAfter: null,
  outcome: 'pending',
  status: null,
  statusText: null,
  error: null,
  thrown: null,
  handler: null,
  forced: null,
  noResponse: [],
  nearest: [],
  suggestion: null,
  ...change,
})

describe('a request that failed', () => {
  test.each<[string, Partial<LoggedRequest>]>([
    ['is pending', {}],
    ['went to the network', { outcome: 'unhandled' }],
    ['was let through by a handler', { outcome: 'passthrough' }],
    ['has a fragment in its URL', { url: 'https://app.test/user#a' }],
  ])('%s', (_name, change) => {
    expect(new FailedRequests().find(failed, [request(change)])).toHaveLength(1)
  })

  test.each<[string, Partial<LoggedRequest>]>([
    ['started before it', { startedAt: 900 }],
    ['started after its end', { startedAt: 2100 }],
    ['has another URL', { url: 'https://app.test/users' }],
    ['was answered by a handler', { outcome: 'mocked', status: 200 }],
    ['was answered by the network', { outcome: 'unhandled', status: 404 }],
    ['is a part of a batch', { outcome: 'unhandled', partOf: 'b' }],
  ])('is not one that %s', (_name, change) => {
    expect(new FailedRequests().find(failed, [request(change)])).toEqual([])
  })

  test('may arrive in the log later, once', () => {
    const failures = new FailedRequests()
    failures.find(failed, [])
    expect(failures.hasFailed('https://app.test/other', 2100)).toBe(false)
    expect(failures.hasFailed(failed.url, 2100)).toBe(true)
    expect(failures.hasFailed(failed.url, 2100)).toBe(false)
    failures.find(failed, [])
    expect(failures.hasFailed(failed.url, 3100)).toBe(false)
  })

  test('that a handler failed is not taken for the next one', () => {
    const failures = new FailedRequests()
    failures.find(failed, [request({ outcome: 'network-error' })])
    expect(failures.hasFailed(failed.url, 2100)).toBe(false)
  })
})

test.each<[RequestInit, string]>([
  [{}, 'network-error'],
  [{ mode: 'no-cors' }, 'pending'],
  [{ redirect: 'manual' }, 'pending'],
])(
  'of a request with %o, a resource without a status is a failure only if browsers show the status of its response',
  (init, outcome) => {
    const log = new RequestLog(10, () => {})
    log.follow({ type: 'start', requestId: 'a', request: new Request(failed.url, init), startedAt: 1500 })
    log.fail(failed)
    expect(log.requests).toMatchObject([{ outcome }])
  },
)
