/** Tests more frameworks of Storybook: each starts, handlers answer its stories, and the panel shows them. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { testBoatList } from '../../../test/storybook/boat-list.ts'
import { openPreview } from '../../../test/storybook/preview-page.ts'
import { startStorybook, type RunningStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-frameworks'
let browser: Browser
let project: Project

beforeAll(async () => {
  browser = await launchBrowser()
  project = await createHeavyProject(sandbox)
})
afterAll(async () => {
  await browser?.close()
  await project?.dispose()
})

describe.each(['web-components', 'sveltekit', 'nextjs'])('the framework %s', (framework) => {
  let storybook: RunningStorybook

  beforeAll(async () => {
    storybook = await startStorybook(sandbox, { ...project, folder: join(project.folder, framework) })
  })
  afterAll(() => storybook?.stop())

  testBoatList({ browser: () => browser, root: () => `${storybook.origin}/` })
})

test('on a docs page, handlers that a story adds in beforeEach do not answer for other stories', async () => {
  const storybook = await startStorybook(sandbox, { ...project, folder: join(project.folder, 'web-components') })
  const visit = await openVisit(browser)
  const preview = openPreview(visit.page, `${storybook.origin}/`)
  await preview.open('boatlist--docs')
  await expect
    .poll(() => preview.docs())
    .toMatchObject({
      'boatlist--default': expect.stringMatching(/^Petrel/),
      'boatlist--from-before-each': expect.stringMatching(/^framed:[^]*Shearwater/),
    })
  await visit.close()
  await storybook.stop()
})
