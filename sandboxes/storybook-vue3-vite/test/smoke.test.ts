/** Tests another framework than React: it starts, handlers answer its stories, and the panel shows them. */
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
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

test('each story of Vue has its own responses, on one page', async () => {
  const visit = await openVisit(browser)
  const preview = openPreview(visit.page, `${storybook.origin}/`)
  await preview.open('boatlist--failed')
  await expect.poll(() => preview.text()).toContain('The register is closed.')
  await preview.rendered('boatlist--failed')
  await preview.mark()
  await preview.select('boatlist--loading')
  await expect.poll(() => preview.text()).toContain('Loading boats…')
  await preview.rendered('boatlist--loading')
  await preview.select('boatlist--from-controls')
  await expect.poll(() => preview.text()).toMatch(/Empty\s+Empty/)
  await preview.rendered('boatlist--from-controls')
  await preview.select('boatlist--default')
  await expect.poll(() => preview.text()).toContain('Petrel')
  expect(await preview.isMarked()).toBe(true)
  expect(visit.errors).toEqual([])
  await visit.close()
})

test('a docs page of Vue shows each story with its own responses', async () => {
  const visit = await openVisit(browser)
  const preview = openPreview(visit.page, `${storybook.origin}/`)
  await preview.open('boatlist--docs')
  await expect
    .poll(() => preview.docs())
    .toMatchObject({
      'boatlist--default': expect.stringContaining('Petrel'),
      'boatlist--loading': expect.stringMatching(/^framed:[^]*Loading boats…/),
      'boatlist--failed': expect.stringMatching(/^framed:[^]*The register is closed\./),
    })
  await visit.close()
})

test('the panel shows the handlers of a story of Vue', async () => {
  const visit = await openVisit(browser)
  const address = `${storybook.origin}/?path=/story/boatlist--failed&addonPanel=@understudy/storybook-addon/panel`
  await visit.page.goto(address)
  await expect
    .poll(() => visit.page.locator('.us-panel').innerText())
    .toMatch(/Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project/)
  await visit.close()
})
