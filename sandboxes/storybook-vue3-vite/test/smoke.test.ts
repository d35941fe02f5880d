/** Tests another framework than React: it starts, handlers answer its stories, and the panel shows them. */
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { testBoatList } from '../../../test/storybook/boat-list.ts'
import { openPreview } from '../../../test/storybook/preview-page.ts'
import { startStorybook, type RunningStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-vue3-vite'
let browser: Browser
let project: Project
let storybook: RunningStorybook

beforeAll(async () => {
  browser = await launchBrowser()
  project = await createHeavyProject(sandbox)
  storybook = await startStorybook(sandbox, project)
})
afterAll(async () => {
  await storybook?.stop()
  await browser?.close()
  await project?.dispose()
})

testBoatList({ browser: () => browser, root: () => `${storybook.origin}/` })

test('a story of Vue uses its controls in its handlers', async () => {
  const visit = await openVisit(browser)
  const preview = openPreview(visit.page, `${storybook.origin}/`)
  await preview.open('boatlist--from-controls')
  await expect.poll(() => preview.text()).toMatch(/Empty\s+Empty/)
  expect(visit.errors).toEqual([])
  await visit.close()
})
