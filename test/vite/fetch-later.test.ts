/** Tests `fetchLater`, which only Chromium has, and whose requests no service worker sees. */
import { afterEach, beforeEach, expect, onTestFailed, test } from 'vitest'

import { chromium } from '../acceptance/chromium.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import type { TestVisit } from '../acceptance/test-browser.ts'
import { vite } from './vite.ts'

const page = `<!doctype html><html><head><title>Later</title><link rel="icon" href="data:,">
<script>
  localStorage.answered ??= ''
  const aborted = new AbortController()
  window.early = fetchLater('/api/mocked?early', { activateAfter: 0, method: 'POST', body: 'early' })
  fetchLater('/api/mocked?aborted', { activateAfter: 0, signal: aborted.signal })
  aborted.abort()
</script></head><body></body></html>`

/** The storage of the origin keeps what the handler has answered when the page ends. */
const handlers = `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.all('/api/mocked', async ({ request }) => {
    localStorage.answered += request.method + ' ' + new URL(request.url).search + ';'
    // A page that is left may end before this.
    localStorage.answered += await request.text()
    return HttpResponse.text('mocked')
  }),
]
await new Promise((resolve) => setTimeout(resolve, 500))
`

let visit: TestVisit

const served = serveProject(vite, {
  launch: () => chromium.launch(),
  files: {
    'index.html': page,
    'src/mocks/handlers.js': handlers,
    'public/other.html': '<!doctype html><title>Other</title><link rel="icon" href="data:,">',
  },
  options: { plugin: { expose: true } },
})

beforeEach(async () => {
  visit = await served.browser.openVisit()
  onTestFailed(() => console.error(visit.console.join('\n'), served.backend.requests))
  await visit.page.goto(served.server.origin)
  await expect.poll(() => visit.console.join('\n')).toContain('Mocking is on')
})
afterEach(async () => {
  await visit.close()
  served.backend.forget()
})

const answered = (): Promise<string> => visit.page.evaluate('localStorage.answered')

test('a call before mocking is on waits for it', async () => {
  await expect.poll(() => visit.page.evaluate('early.activated')).toBe(true)
  await expect.poll(answered).toBe('POST ?early;early')
  expect(served.backend.requests).toEqual([])
})

async function expectTimedAnswer(): Promise<void> {
  await expect.poll(answered).toContain('POST ?early;early')
  expect(
    await visit.page.evaluate(`
      localStorage.answered = ''
      window.result = fetchLater('/api/mocked?timed', { activateAfter: 100 });
      [result instanceof FetchLaterResult, result.activated]
    `),
  ).toEqual([true, false])
  await expect.poll(answered).toBe('GET ?timed;')
  expect(await visit.page.evaluate('result.activated')).toBe(true)
  expect(served.backend.requests).toEqual([])
}

test('handlers answer when the time is over', () => expectTimedAnswer())

test('handlers answer when the time is over, also without a service worker', async () => {
  const cdp = await visit.openDevTools?.()
  await cdp?.send('Network.enable')
  await cdp?.send('Network.setBypassServiceWorker', { bypass: true })
  await visit.page.reload()
  await expect.poll(() => visit.console.join('\n')).toContain('in the page itself')
  await expectTimedAnswer()
})

test('handlers answer when the page is left', async () => {
  await expect.poll(answered).toContain('POST ?early;early')
  await visit.page.evaluate(`
    localStorage.answered = ''
    fetchLater(new Request('/api/mocked?left', { method: 'PUT', body: 'data' }))
    const withdrawn = new AbortController()
    fetchLater('/api/mocked?withdrawn', { signal: withdrawn.signal })
    withdrawn.abort()
    fetchLater('/api/other?left')
  `)
  // The page loads the code that answers.
  await expect
    .poll(() =>
      visit.page.evaluate(`performance.getEntriesByType('resource').some(({ name }) => /answer-later/.test(name))`),
    )
    .toBe(true)
  await visit.page.goto(`${served.server.origin}/other.html`)
  await expect.poll(() => served.backend.requests).toEqual(['GET /api/other?left'])
  expect(await answered()).toMatch(/^PUT \?left;/)
})

test('the platform refuses what it refuses without mocking', async () => {
  const refuse = (args: string): Promise<unknown> =>
    visit.page.evaluate(`(() => { try { fetchLater(${args}) } catch (error) { return error.name } })()`)
  expect(await refuse(`'/api/mocked', { activateAfter: -1 }`)).toBe('RangeError')
  expect(await refuse(`'/api/mocked', { method: 'POST', body: 'x'.repeat(70_000) }`)).toBe('QuotaExceededError')
  expect(await refuse(`'/api/mocked', { signal: AbortSignal.abort() }`)).toBe('AbortError')
  expect(await refuse(`'http://user:password@localhost/'`)).toBe('TypeError')
})

test('requests reach the network when mocking was stopped', async () => {
  await expect.poll(answered).toContain('POST ?early;early')
  await visit.page.evaluate(`
    localStorage.answered = ''
    fetchLater('/api/mocked?before', { activateAfter: 1000 })
    understudy.worker.stop()
    fetchLater('/api/mocked?after', { activateAfter: 0 })
  `)
  await expect
    .poll(() => new Set(served.backend.requests))
    .toEqual(new Set(['GET /api/mocked?before', 'GET /api/mocked?after']))
  expect(await answered()).toBe('')
})
