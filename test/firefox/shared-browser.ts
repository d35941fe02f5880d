import { afterAll, beforeAll } from 'vitest'

import type { BrowserDriver, LaunchOptions, TestBrowser } from '../acceptance/test-browser.ts'

/**
 * Returns a driver whose scenarios share one browser, because a start of Firefox takes longer than most of their tests.
 *
 * @param options those that any of the scenarios needs
 */
export function shareBrowser(driver: BrowserDriver<'Firefox'>, options: LaunchOptions): BrowserDriver<'Firefox'> {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await driver.launch(options)
  })
  afterAll(() => browser?.close())
  return { ...driver, launch: () => Promise.resolve({ ...browser, close: () => Promise.resolve() }) }
}
