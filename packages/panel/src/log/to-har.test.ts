import type { InspectedBody, RequestDetails } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { createRequest } from '../testing/create-request.ts'
import { toHar } from './to-har.ts'

const text = (type: string, body: string, isComplete = true): InspectedBody => ({
  type,
  size: body.length,
  isComplete,
  text: body,
  base64: null,
})

const details: RequestDetails = {
  headers: {
    request: [
      ['Authorization', 'Bearer abc'],
      ['accept', '*/*'],
      ['X-Api-Key', 'abc'],
    ],
    response: [
      ['set-cookie', 'session=5'],
      ['content-type', 'application/json'],
    ],
  },
  bodies: {
    request: text('application/json', '{"name":"Ada"}'),
    response: text('application/json', '{"id":5}', false),
  },
  frames: [],
}

interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: Readonly<Record<string, unknown>>
  readonly response: Readonly<Record<string, unknown>>
}

const entriesOf = (har: string): HarEntry[] => (JSON.parse(har) as { log: { entries: HarEntry[] } }).log.entries

test('a request has its headers, bodies and time', () => {
  const request = createRequest('1', {
    method: 'POST',
    url: 'http://localhost/api/users?page=1&page=2',
    startedAt: Date.UTC(2026, 0, 2),
    duration: 12,
    status: 201,
    statusText: 'Created',
    handler: { id: 1, header: 'POST /api/users' },
  })
  const har = toHar([{ request, details }])
  expect(JSON.parse(har).log).toMatchObject({ version: '1.2', creator: { name: 'Understudy' } })
  expect(entriesOf(har)).toEqual([
    {
      startedDateTime: '2026-01-02T00:00:00.000Z',
      time: 12,
      request: {
        method: 'POST',
        url: 'http://localhost/api/users?page=1&page=2',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'Authorization', value: 'redacted' },
          { name: 'accept', value: '*/*' },
          { name: 'X-Api-Key', value: 'redacted' },
        ],
        queryString: [
          { name: 'page', value: '1' },
          { name: 'page', value: '2' },
        ],
        postData: { mimeType: 'application/json', text: '{"name":"Ada"}' },
        headersSize: -1,
        bodySize: 14,
      },
      response: {
        status: 201,
        statusText: 'Created',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'set-cookie', value: 'redacted' },
          { name: 'content-type', value: 'application/json' },
        ],
        content: {
          size: 8,
          mimeType: 'application/json',
          text: '{"id":5}',
          comment: 'This is the beginning of the body.',
        },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
      },
      cache: {},
      timings: { send: 0, wait: 12, receive: 0 },
      _outcome: 'mocked',
      _handler: 'POST /api/users',
    },
  ])
})

test('the oldest request is first, and pending requests are left out', () => {
  const requests = [
    createRequest('3', { url: 'http://localhost/three', startedAt: 3, outcome: 'pending' }),
    createRequest('2', { url: 'http://localhost/two', startedAt: 2 }),
    createRequest('1', { url: 'http://localhost/one', startedAt: 1 }),
  ]
  const entries = entriesOf(toHar(requests.map((request) => ({ request, details: null }))))
  expect(entries.map(({ request }) => request.url)).toEqual(['http://localhost/one', 'http://localhost/two'])
})

test('a request that failed has the status 0 and its error', () => {
  const request = createRequest('1', { outcome: 'network-error', error: 'Failed to fetch' })
  const [entry] = entriesOf(toHar([{ request, details: null }]))
  expect(entry).toMatchObject({ response: { status: 0, content: { size: 0 } }, _error: 'Failed to fetch' })
})

test('a response that went to the network has the time of its headers, and bytes are base64', () => {
  const request = createRequest('1', { outcome: 'unhandled', duration: 1, respondedAfter: 80, status: 302 })
  const body: InspectedBody = { type: 'image/png', size: 4, isComplete: true, text: null, base64: 'AP+ACg==' }
  const [entry] = entriesOf(
    toHar([
      {
        request,
        details: {
          headers: { request: [], response: [['Location', '/next']] },
          bodies: { request: body, response: body },
          frames: [],
        },
      },
    ]),
  )
  expect(entry?.time).toBe(80)
  expect(entry?.response.redirectURL).toBe('/next')
  expect(entry?.response.content).toEqual({ size: 4, mimeType: 'image/png', text: 'AP+ACg==', encoding: 'base64' })
  expect(entry?.request).not.toHaveProperty('postData')
})

test.each([
  'X-Authorization',
  'X-Access-Key',
  'X-Session-Id',
  'X-CSRF',
  'X-JWT',
  'Authentication-Credential',
  'x-private_key',
  'Proxy-Authorization',
])('the value of the header %s is redacted', (name) => {
  const headers = [[name, 'abc']] as const
  const har = toHar([
    { request: createRequest('1', {}), details: { ...details, headers: { request: headers, response: headers } } },
  ])
  expect(har).not.toContain('abc')
  expect(har.match(/"redacted"/g)).toHaveLength(2)
})
