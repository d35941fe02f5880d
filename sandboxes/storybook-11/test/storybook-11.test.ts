/** Tests the pre-release of Storybook 11: handlers answer their stories in development and in a build, and the panel shows them. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { openPreview } from '../../../test/storybook/preview-page.ts'
import { serveFolder } from '../../../test/storybook/serve-folder.ts'
import { buildStorybook, startStorybook } from '../../../test/storybook/storybook-tool.ts'

const sandbox = 'storybook-11'
let browser: Browser
let project: Project

beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createHeavyProject(sandbox)])
})
afterAll(async () => {
  await browser?.close()
  await project?.dispose()
})

describe.each(['development', 'a build'])('in %s', (kind) => {
  let origin: string
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    if (kind === 'development') {
      const storybook = await startStorybook(sandbox, project)
      origin = storybook.origin
      stop = () => storybook.stop()
      return
    }
    const { code, output } = await buildStorybook(sandbox, project)
    expect(code, output).toBe(0)
    const server = await serveFolder(join(project.folder, 'storybook-static'), '/')
    origin = server.root.replace(/\/$/, '')
    stop = () => Promise.resolve(server.stop())
  })
  afterAll(() => stop?.())

  test('each story has its own responses, on one page', async () => {
    const visit = await openVisit(browser)
    const preview = openPreview(visit.page, `${origin}/`)
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

  test('the panel shows the handlers of a story', async () => {
    const visit = await openVisit(browser)
    await visit.page.goto(`${origin}/?path=/story/boatlist--failed&addonPanel=@understudy/storybook-addon/panel`)
    await expect
      .poll(() => visit.page.locator('.us-panel').innerText())
      .toMatch(/Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project/)
    await visit.close()
  })
})
