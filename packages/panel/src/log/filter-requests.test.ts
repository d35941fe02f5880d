import { expect, test } from 'vitest'

import { createRequest as create } from '../testing/create-request.ts'
import { groupUnhandled } from '../unhandled/group-unhandled.ts'
import { filterRequests, matchesToShow, searchedWords, type OutcomeFilter } from './filter-requests.ts'

const requests = [
  create('ok', { status: 200, handler: { id: 1, header: 'GET /api/:list' } }),
  create('not found', { status: 404, method: 'POST', name: 'query GetUser' }),
  create('broken', { outcome: 'network-error' }),
  create('passed', { outcome: 'passthrough', url: 'http://localhost/passed' }),
  create('asset', { outcome: 'unhandled', url: 'http://localhost/a.css' }),
  create('pending', { outcome: 'pending', url: 'http://localhost/slow', duration: null }),
  create('missed', { outcome: 'unhandled', suggestion: 'http.get()' }),
]

test.each<[OutcomeFilter, string, string[]]>([
  ['all', '', ['ok', 'not found', 'broken', 'passed', 'asset', 'pending', 'missed']],
  ['mocked', '', ['ok', 'not found']],
  ['failed', '', ['not found', 'broken']],
  ['network', '', ['passed', 'asset', 'missed']],
  ['unhandled', '', ['missed']],
  ['pending', '', ['pending']],
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

test('unhandled requests that one handler would answer form one group', () => {
  const near = (difference: string) => ({ nearest: [{ id: 1, header: 'GET /', difference }] })
  const missed = [
    create('c', { suggestion: 'one', ...near('x') }),
    create('b', { suggestion: 'two', ...near('x') }),
    create('ok', {}),
    create('a', { suggestion: 'one', ...near('x') }),
  ]
  expect(groupUnhandled(missed).map(({ request, count }) => [request.id, count])).toEqual([
    ['c', 2],
    ['b', 1],
  ])
})

test('a word counts if it was found in the details', () => {
  const match = { word: 'ada', place: 'response body', before: '"', found: 'Ada', after: '"' } as const
  const found = new Map([['ok', [match]]])
  const ids = (text: string): string[] => filterRequests(requests, 'all', text, found).map(({ id }) => id)
  expect(ids('Ada')).toEqual(['ok'])
  expect(ids('ada 200')).toEqual(['ok'])
  expect(ids('ada 404')).toEqual([])
  expect(ids('ada -get')).toEqual([])
  // Details that contain a word do not exclude a row: bodies contain too much.
  expect(ids('200 -ada')).toEqual(['ok'])
})

test('only matches of words that the row does not contain are shown', () => {
  const match = (word: string) => ({ word, place: 'response body', before: '', found: word, after: '' }) as const
  expect(matchesToShow('GET /users', 'users ADA', [match('users'), match('ada'), match('old')])).toEqual([match('ada')])
  expect(searchedWords('Ada -x a  ada ->')).toEqual(['ada'])
})
