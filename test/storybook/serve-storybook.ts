import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import { createHeavyProject, type Project } from '../acceptance/project.ts'
import { openPreview, type PreviewPage } from './preview-page.ts'
import { startStorybook, type RunningStorybook } from './storybook-tool.ts'

/** The Storybook of a sandbox in development, with Playwright's Chromium. */
export interface ServedStorybook {
  readonly browser: Browser
  readonly project: Project
  /** The URL of the manager, with a slash at the end. */
  readonly root: string
  /** Opens a page in a new profile, for the preview or the manager. The profile is closed after the test. */
  openProfile(): Promise<{ visit: Visit; preview: PreviewPage }>
}

/**
 * Serves a Storybook for the tests of a file or of a `describe`, and ends everything after them.
 *
 * @param files additional or replaced files of the sandbox
 * @param prepare changes the project before the Storybook starts
 */
export function serveStorybook(
  sandbox: string,
  files: Record<string, string> = {},
  prepare?: (project: Project) => Promise<void>,
): ServedStorybook {
  let browser: Browser
  let project: Project
  let storybook: RunningStorybook
  const opened: Visit[] = []

  beforeAll(async () => {
    ;[browser, project] = await Promise.all([launchBrowser(), createHeavyProject(sandbox, files)])
    await prepare?.(project)
    storybook = await startStorybook(sandbox, project)
  })
  afterAll(async () => {
    await storybook?.stop()
    await browser?.close()
    await project?.dispose()
  })
  afterEach(async () => {
    for (const visit of opened.splice(0)) await visit.close()
  })

  return {
    get browser() {
      return browser
    },
    get project() {
      return project
    },
    get root() {
      return `${storybook.origin}/`
    },
    async openProfile() {
      const visit = await openVisit(browser)
      opened.push(visit)
      return { visit, preview: openPreview(visit.page, `${storybook.origin}/`) }
    },
  }
}
