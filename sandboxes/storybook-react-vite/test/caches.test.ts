/** Tests the recipes that clear the caches of query clients between stories, each with the real client. */
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { openPreview } from '../../../test/storybook/preview-page.ts'
import { startStorybook, type RunningStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-react-vite'
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

test.each([
  ['TanStack Query', 'tanstack-query'],
  ['Apollo', 'apollo'],
  ['SWR', 'swr'],
  ['RTK Query', 'rtk-query'],
])('%s passes no response to the next story, with its recipe', async (_name, id) => {
  const visit = await openVisit(browser)
  const preview = openPreview(visit.page, `${storybook.origin}/`)
  await preview.open(`caches-${id}--first`)
  await expect.poll(() => preview.text()).toBe('Petrel')
  await preview.rendered(`caches-${id}--first`)
  await preview.mark()
  await preview.select(`caches-${id}--second`)
  await expect.poll(() => preview.text()).toBe('Dipper')
  await preview.rendered(`caches-${id}--second`)
  // Without the recipe, the client answers from its cache and sends no request.
  await preview.select(`caches-${id}--kept`)
  await preview.rendered(`caches-${id}--kept`)
  expect(await preview.text()).toBe('Dipper')
  await preview.select(`caches-${id}--first`)
  await expect.poll(() => preview.text()).toBe('Petrel')
  expect(await preview.isMarked()).toBe(true)
  expect(visit.errors).toEqual([])
  await visit.close()
})
