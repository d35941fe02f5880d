/** Requests that Firefox does not show to a service worker, and moments at which mocking begins or ends. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { servePlain } from '../acceptance/serve-plain.ts'
import type { TestBrowser, TestVisit } from '../acceptance/test-browser.ts'
import { inFirefox } from './firefox.ts'

const start = `(async () => {
  const { http, HttpResponse } = engine
  globalThis.seen = []
  globalThis.worker = setupWorker(
    http.all('/api/user', async ({ request }) => {
      seen.push([request.method, await request.text()].join(' '))
      return HttpResponse.json({ from: 'the mock' })
    }),
  )
  await worker.start({ onUnhandledRequest: 'bypass', quiet: true })
})()`

inFirefox((firefox) => {
  const fixture = servePlain()
  let browser: TestBrowser
  let visit: TestVisit
  beforeAll(async () => {
    browser = await firefox.launch()
  })
  afterAll(() => browser.close())

  const evaluate = (expression: string): Promise<unknown> => visit.page.evaluate(expression)

  beforeEach(async () => {
    visit = await browser.openVisit()
    await visit.page.goto(fixture.origin)
    await visit.page.waitForFunction('globalThis.isReady')
    await evaluate(start)
  })
  afterEach(() => visit.close())

  test('fetch with keepalive is answered, as text, as a Request, and when it is read from a Request', async () => {
    const answers = await evaluate(`Promise.all([
      fetch('/api/user', { keepalive: true, method: 'POST', body: 'text' }),
      fetch(new Request('/api/user', { keepalive: true, method: 'POST', body: 'request' })),
      fetch(new Request('/api/user', { method: 'POST', body: 'init' }), { keepalive: true }),
      fetch('/api/user'),
    ].map(async (response) => (await (await response).json()).from)).then((all) => all.join())`)
    expect(answers).toBe('the mock,the mock,the mock,the mock')
    const seen = String(await evaluate('seen.join()'))
    expect(seen.split(',').toSorted()).toEqual(['GET ', 'POST init', 'POST request', 'POST text'])
    expect(fixture.backend.requests).toEqual([])
  })

  test('fetch with keepalive that no handler matches is the platform’s', async () => {
    expect(await evaluate(`fetch('/api/other', { keepalive: true }).then((r) => r.json()).then((r) => r.from)`)).toBe(
      'the backend',
    )
    expect(fixture.backend.requests).toEqual(['GET /api/other'])
  })

  test('beacons are answered', async () => {
    expect(await evaluate(`String(navigator.sendBeacon('/api/user', 'beacon'))`)).toBe('true')
    await expect.poll(() => evaluate('seen.join()')).toBe('POST beacon')
    expect(fixture.backend.requests).toEqual([])
  })

  test('requests that were made before worker.stop() in the same task are answered, those after it are not', async () => {
    for (let round = 0; round < 10; round += 1) {
      const answers = await evaluate(`(async () => {
        const ask = async () => (await (await fetch('/api/user', { method: 'POST', body: 'a' })).json()).from
        const before = [ask(), ask()]
        worker.stop()
        return (await Promise.all([...before, ask()])).join()
      })()`)
      expect(answers).toBe('the mock,the mock,the backend')
      await evaluate(start)
    }
  })

  test('a request in the same task as worker.use() is answered where others have patched fetch', async () => {
    const wrong = await evaluate(`(async () => {
      const below = fetch
      globalThis.fetch = (...args) => below(...args)
      const { http, HttpResponse } = engine
      const wrong = []
      for (let round = 0; round < 100; round += 1) {
        const url = '/api/added-' + round
        worker.use(http.get(url, () => HttpResponse.text(url)))
        const answer = await (await fetch(url)).text()
        if (answer !== url) wrong.push(url)
      }
      return wrong.join()
    })()`)
    expect(wrong).toBe('')
    expect(fixture.backend.requests).toEqual([])
  })
})
