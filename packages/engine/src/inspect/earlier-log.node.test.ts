import { expect, test } from 'vitest'

import { http, HttpResponse } from '../index.ts'
import { setupServer } from '../node.ts'
import { EarlierLog } from './earlier-log.ts'
import { inspect, type Inspection } from './inspect.ts'

const page = 'http://localhost/app'

/** Makes requests on a separate network, and returns its inspection. */
async function makeRequests(count: number, body = 'hello'): Promise<Inspection> {
  const server = setupServer(http.post('http://api.test/:id', () => HttpResponse.text(body)))
  const inspection = inspect(server)
  inspection.keepBodies()
  server.listen()
  try {
    for (let id = 1; id <= count; id += 1) {
      const response = await fetch(`http://api.test/${id}`, { method: 'POST', body: 'a question' })
      await response.text()
    }
  } finally {
    server.close()
  }
  return inspection
}

test('the next page has the requests of the earlier one, with headers and bodies', async () => {
  const inspection = await makeRequests(2)
  const { pages, details } = readLog(new EarlierLog('').leave(inspection, page, 1000))
  expect(pages).toMatchObject([{ url: page, leftAt: 1000, requests: [{ method: 'POST', status: 200 }, {}] }])
  expect(pages[0]?.requests.map(({ url }) => url)).toEqual(['http://api.test/2', 'http://api.test/1'])
  // The next page has another handler with the same id.
  expect(pages[0]?.requests[0]?.handler).toEqual({ id: -1, header: 'POST http://api.test/:id' })
  const { bodies, headers } = details(pages[0]?.requests[0]?.id ?? '') ?? {}
  expect(bodies).toMatchObject({ request: { text: 'a question' }, response: { text: 'hello', isComplete: true } })
  expect(headers?.response).toContainEqual(['content-type', 'text/plain'])
})

test('a third page has the requests of both, the latest page first', async () => {
  const first = new EarlierLog('').leave(await makeRequests(1), page, 1000)
  const { pages } = readLog(new EarlierLog(first).leave(await makeRequests(1), `${page}/next`, 2000))
  expect(pages.map(({ url, leftAt }) => [url, leftAt])).toEqual([
    [`${page}/next`, 2000],
    [page, 1000],
  ])
})

test('500 requests are kept, and the oldest are dropped', async () => {
  const first = new EarlierLog('').leave(await makeRequests(300), page)
  const { pages } = readLog(new EarlierLog(first).leave(await makeRequests(300), page))
  expect(pages.map(({ requests }) => requests.length)).toEqual([300, 200])
  expect(pages[1]?.requests.at(-1)?.url).toBe('http://api.test/101')
})

test('bodies are cut, and omitted above the limit of a million characters', async () => {
  const text = new EarlierLog('').leave(await makeRequests(100, 'x'.repeat(50_000)), page)
  expect(text.length).toBeLessThanOrEqual(1_001_000)
  const { pages, details } = readLog(text)
  expect(pages[0]?.requests).toHaveLength(100)
  const [newest] = pages[0]?.requests ?? []
  expect(details(newest?.id ?? '')?.bodies.response).toMatchObject({ isComplete: false, text: 'x'.repeat(16_384) })
  expect(details(pages[0]?.requests.at(-1)?.id ?? '')?.bodies.response).toBe(null)
})

test('bodies that do not fit are not read, because that would delay the reload', async () => {
  const inspection = await makeRequests(100, 'x'.repeat(50_000))
  let reads = 0
  const bodies: Inspection['bodies'] = (id) => {
    reads += 1
    return inspection.bodies(id)
  }
  new EarlierLog('').leave({ ...inspection, bodies }, page)
  expect(reads).toBeGreaterThan(20)
  expect(reads).toBeLessThan(60)
})

test('long messages of connections do not displace bodies', async () => {
  const inspection = await makeRequests(10)
  const connection = {
    url: 'ws://chat.test/',
    handlers: [],
    startedAt: Date.now(),
    state: 'closed',
    closedAfter: 1,
    code: 1000,
    reason: '',
    sent: 0,
    received: 200,
  } as const
  const connections = Array.from({ length: 50 }, (_, index) => ({ ...connection, id: `connection ${index}` }))
  const frames = Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    direction: 'received' as const,
    at: 1,
    size: 4000,
    text: 'x'.repeat(4000),
  }))
  const text = new EarlierLog('').leave(
    { ...inspection, snapshot: () => ({ ...inspection.snapshot(), connections }), frames: () => frames },
    page,
  )
  const { pages, details } = readLog(text)
  expect(pages[0]?.connections).toHaveLength(50)
  expect(details('connection 0')?.frames.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => n + 151))
  for (const { id } of pages[0]?.requests ?? []) expect(details(id)?.bodies.response?.text).toBe('hello')
})

test('a cleared log does not appear again', async () => {
  const log = new EarlierLog(new EarlierLog('').leave(await makeRequests(1), page))
  const inspection = await makeRequests(1)
  log.clear()
  expect(log.pages).toEqual([])
  expect(log.leave(inspection, page)).toBe('')
})

test('a page from the back/forward cache does not list its own requests twice', async () => {
  const inspection = await makeRequests(1)
  const text = new EarlierLog('').leave(inspection, page)
  const own = new Set(inspection.listRequests().map(({ id }) => id))
  expect(new EarlierLog(text, (id) => own.has(id)).pages.flatMap(({ requests }) => requests)).toEqual([])
})

test.each(['', '{', 'null', '[{"url":1}]', '[{"url":"","leftAt":1,"requests":[{"item":{}}],"connections":[]}]'])(
  'the log is empty if the storage contains %j',
  (text) => {
    expect(new EarlierLog(text).pages).toEqual([])
    expect(new EarlierLog(text).details('1')).toBe(undefined)
  },
)

function readLog(text: string): Pick<EarlierLog, 'pages' | 'details'> {
  const log = new EarlierLog(text)
  return { pages: log.pages, details: (id) => log.details(id) }
}
