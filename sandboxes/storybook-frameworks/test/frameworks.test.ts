/** Tests more frameworks of Storybook: each starts, handlers answer its stories, and the panel shows them. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
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

  test('each story has its own responses, on one page', async () => {
    const visit = await openVisit(browser)
    const preview = openPreview(visit.page, `${storybook.origin}/`)
    await preview.open('boatlist--failed')
    await expect.poll(() => preview.text()).toContain('The register is closed.')
    await preview.rendered('boatlist--failed')
    await preview.mark()
    await preview.select('boatlist--loading')
    await expect.poll(() => preview.text()).toContain('Loading boats…')
    await preview.rendered('boatlist--loading')
    await preview.select('boatlist--default')
    await expect.poll(() => preview.text()).toContain('Petrel')
    expect(await preview.isMarked()).toBe(true)
    expect(visit.errors).toEqual([])
    await visit.close()
  })

  test('a docs page shows each story with its own responses', async () => {
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

  test('the panel shows the handlers of a story', async () => {
    const visit = await openVisit(browser)
    const address = `${storybook.origin}/?path=/story/boatlist--failed&addonPanel=@understudy/storybook-addon/panel`
    await visit.page.goto(address)
    await expect
      .poll(() => visit.page.locator('.us-panel').innerText())
      .toMatch(/Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project/)
    await visit.close()
  })
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
