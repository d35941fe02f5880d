import { describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver } from './test-browser.ts'

/** Tests workers of several scopes, as those of several apps on one origin. A page connects only to its own worker. */
export function testOtherScopes(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, a worker of another scope`, () => {
    const served = serveProject(tool, {
      launch: () => driver.launch(),
      files: { 'public/other/empty.html': '<!doctype html><title>Empty</title><link rel="icon" href="data:," />' },
    })

    test('does not wait for a page that mocks with its own worker', async () => {
      const { page, profile, console: lines } = await served.browser.openVisit()
      await page.goto(served.server.origin)
      await expect.poll(() => lines.join('\n')).toContain('Mocking is on')
      const isActive = await page.evaluate(`(async () => {
        const registration = await navigator.serviceWorker.register('/understudy-worker.js', { scope: '/other/' })
        while (registration.active?.state !== 'activated') await new Promise((resolve) => setTimeout(resolve, 20))
        return true
      })()`)
      expect(isActive).toBe(true)
      const other = await profile.openPage()
      await other.page.goto(`${served.server.origin}/other/empty.html`)
      expect(await other.page.evaluate('[document.title, navigator.serviceWorker.controller !== null]')).toEqual([
        'Empty',
        true,
      ])
      expect(await other.page.evaluate(`fetch('/other/empty.html').then(({ status }) => status)`)).toBe(200)
      await profile.close()
    })
  })
}
