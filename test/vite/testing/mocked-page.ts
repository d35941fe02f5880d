import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../acceptance/browser.ts'
import { get as getOn, servePlain } from '../../acceptance/serve-plain.ts'

/** What is open during the current test: a page with `setupWorker`, without a plugin. */
export interface Current {
  page: Page
  browser: Browser
  visit: Visit
}

export const current = {} as Current

export const fixture = servePlain()

beforeAll(async () => {
  current.browser = await launchBrowser()
})

afterAll(() => current.browser.close())

beforeEach(async () => {
  current.visit = await openVisit(current.browser)
  current.page = current.visit.page
  await current.page.goto(fixture.origin)
  await current.page.waitForFunction('isReady')
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

export const get = (path: string, on = current.page): Promise<unknown> => getOn(path, on)

export const mocked = { from: 'the mock' }
