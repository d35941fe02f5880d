import type { LoggedRequest } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { groupMisses } from '../misses/group-misses.ts'
import { filterRequests, type OutcomeFilter } from './filter-requests.ts'

function create(id: string, given: Partial<LoggedRequest>): LoggedRequest {
  const nothing = {
    name: null,
    status: null,
    statusText: null,
    error: null,
    handler: null,
    nearest: [],
    suggestion: null,
  }
  const usual = {
    method: 'GET',
    url: 'http://localhost/api/users',
    startedAt: 0,
    duration: 1,
    outcome: 'mocked',
  } as const
  return { ...nothing, ...usual, id, ...given }
}

const requests = [
  create('ok', { status: 200, handler: { id: 1, header: 'GET /api/:list' } }),
  create('not found', { status: 404, method: 'POST', name: 'query GetUser' }),
  create('broken', { outcome: 'network-error' }),
  create('passed', { outcome: 'passthrough', url: 'http://localhost/passed' }),
  create('asset', { outcome: 'unhandled', url: 'http://localhost/a.css' }),
  create('missed', { outcome: 'unhandled', suggestion: 'http.get()' }),
]

test.each<[OutcomeFilter, string, string[]]>([
  ['all', '', ['ok', 'not found', 'broken', 'passed', 'asset', 'missed']],
  ['mocked', '', ['ok', 'not found']],
  ['failed', '', ['not found', 'broken']],
  ['network', '', ['passed', 'asset', 'missed']],
  ['missed', '', ['missed']],
  ['all', 'POST', ['not found']],
  ['all', '404', ['not found']],
  ['all', 'getuser', ['not found']],
  ['all', ':list', ['ok']],
  ['all', 'users get -mock', ['ok', 'not found', 'broken', 'missed']],
  ['all', 'users -post', ['ok', 'broken', 'missed']],
  ['mocked', '  passed ', []],
])('%s and "%s" leave %j', (outcome, text, ids) => {
  expect(filterRequests(requests, outcome, text).map(({ id }) => id)).toEqual(ids)
})

test('misses that one handler would end are one', () => {
  const near = (difference: string) => ({ nearest: [{ id: 1, header: 'GET /', difference }] })
  const missed = [
    create('c', { suggestion: 'one', ...near('x') }),
    create('b', { suggestion: 'two', ...near('x') }),
    create('ok', {}),
    create('a', { suggestion: 'one', ...near('x') }),
  ]
  expect(groupMisses(missed).map(({ request, count }) => [request.id, count])).toEqual([
    ['c', 2],
    ['b', 1],
  ])
})
