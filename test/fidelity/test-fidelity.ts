import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { BrowserDriver, TestBrowser } from '../acceptance/test-browser.ts'
import { findUnexplained, readPage, type Comparison, type Differences } from './describe-fidelity.ts'
import { serveFidelity, type FidelityServer } from './server.ts'

/** Compares mocked responses with responses of a real server that have the same bytes. */
export function testFidelity(driver: BrowserDriver<'Chromium' | 'Firefox'>): void {
  describe(`fidelity in ${driver.name}`, () => {
    let server: FidelityServer
    let browser: TestBrowser
    let comparison: Comparison

    beforeAll(async () => {
      ;[server, browser] = await Promise.all([serveFidelity(), driver.launch()])
      const compare = async (isInPage: boolean): Promise<Differences> => {
        const { page, close } = await browser.openVisit()
        await page.goto(server.origin)
        await page.evaluate(`start(${isInPage})`)
        const differences = await page.evaluate<Differences>('compare()')
        await close()
        return differences
      }
      comparison = {
        browser: driver.name,
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
  })
}
