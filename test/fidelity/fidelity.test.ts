/** What an app in Chromium sees of mocked responses, compared with the same bytes of a real server. */
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { findUnexplained, readPage, type Comparison, type Differences } from './describe-fidelity.ts'
import { serveFidelity, type FidelityServer } from './server.ts'

let server: FidelityServer
let browser: Browser
let comparison: Comparison

beforeAll(async () => {
  ;[server, browser] = await Promise.all([serveFidelity(), launchBrowser()])
  const compare = async (isInPage: boolean): Promise<Differences> => {
    const { page, close } = await openVisit(browser)
    await page.goto(server.origin)
    await page.evaluate(`start(${isInPage})`)
    const differences = await page.evaluate<Differences>('compare()')
    await close()
    return differences
  }
  comparison = {
    browser: 'Chromium',
    differences: { 'service worker': await compare(false), page: await compare(true) },
  }
})
afterAll(() => Promise.all([server.close(), browser.close()]))

test('every difference has a reason, and every reason a difference', () => {
  expect(Object.keys(comparison.differences.page).length).toBeGreaterThan(80)
  expect(findUnexplained(comparison)).toEqual([])
})

test('the table in the documentation is up to date', async () => {
  const { actual, expected } = await readPage(comparison)
  expect(actual).toBe(expected)
})
