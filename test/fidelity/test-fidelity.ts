import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { BrowserDriver, TestBrowser } from '../acceptance/test-browser.ts'
import { compare, findUnexplained, readPage, type Comparison } from './describe-fidelity.ts'
import type { Seen } from './probe.ts'
import { serveFidelity, type FidelityServer } from './server.ts'

/** Compares mocked responses with responses of a real server that have the same bytes. */
export function testFidelity(driver: BrowserDriver<'Chromium' | 'Firefox'>): void {
  describe(`fidelity in ${driver.name}`, () => {
    let server: FidelityServer
    let browser: TestBrowser
    let comparison: Comparison

    beforeAll(async () => {
      ;[server, browser] = await Promise.all([serveFidelity(), driver.launch()])
      const look = async (side: 'real' | 'mock', start = ''): Promise<Record<string, Seen>> => {
        const { page, close } = await browser.openVisit()
        await page.goto(server.origin)
        if (start) await page.evaluate(start)
        const seen = await page.evaluate<Record<string, Seen>>(`lookAtAll('${side}')`)
        await close()
        return seen
      }
      // On a page without mocking. Otherwise, a fault of our classes would be on both sides.
      const real = await look('real')
      comparison = {
        browser: driver.name,
        differences: {
          'service worker': compare(real, await look('mock', 'start(false)')),
          page: compare(real, await look('mock', 'start(true)')),
        },
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
