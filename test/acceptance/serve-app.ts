import type { Browser, Page } from 'playwright'
import { afterEach, beforeEach, expect } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from './browser.ts'
import type { BuildTool, ToolOptions } from './build-tool.ts'
import { serveProject, type ServedProject } from './serve-project.ts'

/** An app on the dev server of a tool, with Playwright's Chromium. */
export interface ServedApp extends ServedProject<Browser> {
  /**
   * Opens the app in a new profile, and waits until its script has run. Profiles that a test or its `beforeEach` opens are
   * closed after the test.
   *
   * @param path its path, query and hash; default: `/`
   */
  openApp(path?: string): Promise<Visit>
  /**
   * Opens the panel in a tab of the app's profile. An uncaught error of the panel fails the test.
   *
   * @param hash the settings in the panel's URL; default: none
   */
  openPanel(app: Visit, hash?: string): Promise<Page>
}

/**
 * Serves the app of `test/fixtures/hot` for the tests of a file or of a `describe`, and ends everything after them.
 *
 * @param files additional or replaced files of the app. Its script must define `ask`
 * @param options the tool's settings. Requests below `/api/` reach the backend if nothing answers them
 */
export function serveApp(tool: BuildTool, files: Record<string, string>, options: ToolOptions = {}): ServedApp {
  const served = serveProject(tool, { launch: launchBrowser, files, options })
  const opened: Visit[] = []

  beforeEach(() => {
    // The tests of the file share what was opened before them.
    opened.length = 0
  })
  afterEach(async () => {
    for (const visit of opened) await visit.close()
  })
  return Object.assign(served, {
    async openApp(path = '/') {
      const visit = await openVisit(served.browser)
      opened.push(visit)
      await visit.page.goto(served.server.origin + path)
      await visit.page.waitForFunction('window.ask')
      return visit
    },
    async openPanel(app: Visit, hash = '') {
      const { page } = await openPage(app.context)
      page.on('pageerror', (error) => expect.fail(String(error)))
      await page.goto(`${served.server.origin}/__understudy/${hash}`)
      return page
    },
  })
}
