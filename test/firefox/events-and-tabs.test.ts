/** Tests life-cycle events, lines of the console, and WebSocket clients of several tabs. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { servePlain } from '../acceptance/serve-plain.ts'
import type { Profile, TestBrowser, TestPage, TestVisit } from '../acceptance/test-browser.ts'
import { inFirefox } from './firefox.ts'

/** Starts mocking, with a tab's name in its broadcasts. */
const start = (tab: string): string => `(async () => {
  const { bypass, graphql, http, HttpResponse, passthrough, ws } = engine
  globalThis.bypass = bypass
  globalThis.events = []
  globalThis.heard = []
  globalThis.link = ws.link('wss://example.com/chat')
  globalThis.worker = setupWorker(
    http.get('/api/mocked', () => HttpResponse.text('mocked')),
    http.get('/api/passed', () => passthrough()),
    graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
    link.addEventListener('connection', ({ client }) => {
      client.addEventListener('message', ({ data }) => link.broadcast('${tab}: ' + data))
    }),
  )
  const note = (name, url) => {
    const { pathname, search } = new URL(url)
    if (pathname.startsWith('/api/')) events.push(name + ' ' + pathname + search)
  }
  for (const name of ['request:start', 'request:match', 'request:unhandled', 'request:end'])
    worker.events.on(name, ({ request }) => note(name, request.url))
  for (const name of ['response:mocked', 'response:bypass'])
    worker.events.on(name, ({ response }) => note(name, response.url))
  await worker.start({ onUnhandledRequest: 'bypass' })
})()`

const openSocket = `new Promise((resolve) => {
  globalThis.socket = new WebSocket('wss://example.com/chat')
  socket.onopen = () => resolve('open')
  socket.onmessage = ({ data }) => heard.push(data)
})`

inFirefox((firefox) => {
  const fixture = servePlain()
  let browser: TestBrowser
  let profile: Profile
  let visit: TestVisit
  beforeAll(async () => {
    browser = await firefox.launch()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    profile = await browser.createProfile()
    visit = await open('first')
  })
  afterEach(() => profile.close())

  async function open(tab: string): Promise<TestVisit> {
    const opened = await profile.openPage()
    await opened.page.goto(fixture.origin)
    await opened.page.waitForFunction('globalThis.isReady')
    await opened.page.evaluate(start(tab))
    return opened
  }

  /** Fetches a URL, and returns the events of the request. */
  async function eventsOf(expression: string, count: number): Promise<unknown> {
    await visit.page.evaluate(`(events.length = 0, ${expression}.then((response) => response.text()))`)
    await visit.page.waitForFunction(`events.length >= ${count}`)
    return visit.page.evaluate('events')
  }

  test('a response of a handler and one of the network have their URLs in the events', async () => {
    expect(await eventsOf(`fetch('/api/mocked?a#part')`, 4)).toEqual([
      'request:start /api/mocked?a',
      'request:match /api/mocked?a',
      'request:end /api/mocked?a',
      'response:mocked /api/mocked?a',
    ])
    expect(await eventsOf(`fetch('/api/passed?b')`, 4)).toEqual([
      'request:start /api/passed?b',
      'request:match /api/passed?b',
      'request:end /api/passed?b',
      'response:bypass /api/passed?b',
    ])
  })

  test('fetch(bypass(request)) emits its events', async () => {
    expect(await eventsOf(`fetch(bypass('/api/mocked?bypassed'))`, 3)).toEqual([
      'request:start /api/mocked?bypassed',
      'request:end /api/mocked?bypassed',
      'response:bypass /api/mocked?bypassed',
    ])
    expect(fixture.backend.requests).toEqual(['GET /api/mocked?bypassed'])
  })

  test('a GraphQL response is logged with the type and the name of its operation', async () => {
    await visit.page.evaluate(`fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query GetUser { user }' }),
    }).then((response) => response.text())`)
    await expect.poll(() => visit.console.join('\n')).toContain('[understudy] query GetUser: POST /graphql')
  })

  test('link.broadcast() and link.clients reach another tab, and worker.stop() removes the clients of its tab', async () => {
    const other = await open('second')
    const tabs = [visit.page, other.page]
    const clientsIn = (page: TestPage): Promise<unknown> => page.evaluate('link.clients.size')
    for (const page of tabs) await page.evaluate(openSocket)
    for (const page of tabs) await expect.poll(() => clientsIn(page)).toBe(2)
    await visit.page.evaluate(`socket.send('hello')`)
    for (const page of tabs) await expect.poll(() => page.evaluate('heard')).toEqual(['first: hello'])
    expect(await visit.page.evaluate('(worker.stop(), link.clients.size)')).toBe(1)
    await expect.poll(() => clientsIn(other.page)).toBe(1)
    await other.page.evaluate('void worker.stop()')
    for (const page of tabs) await expect.poll(() => clientsIn(page)).toBe(0)
  })
})
