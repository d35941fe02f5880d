import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

import { get as getOn, servePlain, type PlainFixture } from './serve-plain.ts'
import type { BrowserDriver, TestBrowser, TestPage, TestVisit } from './test-browser.ts'

/** What is open during the current test: a page with `setupWorker`, without a plugin. */
export interface CurrentVisit {
  page: TestPage
  visit: TestVisit
}

export interface MockedPage {
  readonly current: CurrentVisit
  readonly fixture: PlainFixture
  /** Returns the answer to a GET request of the page. */
  get(path: string): Promise<unknown>
}

/** Opens a page with two handlers, in a new profile, for each test of a `describe`. */
export function visitMockedPage(driver: BrowserDriver): MockedPage {
  const current = {} as CurrentVisit
  const fixture = servePlain()
  let browser: TestBrowser

  beforeAll(async () => {
    browser = await driver.launch()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    current.visit = await browser.openVisit()
    current.page = current.visit.page
    await current.page.goto(fixture.origin)
    await current.page.waitForFunction('globalThis.isReady')
    await current.page.evaluate(async () => {
      const { http, HttpResponse } = engine
      globalThis.worker = setupWorker(
        http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
        http.get('/api/real', () => engine.passthrough()),
      )
      await worker.start()
    })
  })
  afterEach(() => current.visit.close())

  return { current, fixture, get: (path) => getOn(path, current.page) }
}

export const mocked = { from: 'the mock' }
