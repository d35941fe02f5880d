/** Tests Storybook for Angular, which Angular's CLI starts: handlers answer their stories, and the panel shows them. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'
import { openPreview } from '../../../test/storybook/preview-page.ts'
import { serveFolder } from '../../../test/storybook/serve-folder.ts'

const cli = join(import.meta.dirname, '../node_modules/@angular/cli/bin/ng.js')
let browser: Browser
let project: Project

beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createHeavyProject('storybook-angular')])
})
afterAll(async () => {
  await browser?.close()
  await project?.dispose()
})

const run = (target: string, ...args: string[]): ToolProcess =>
  runTool(cli, ['run', `app:${target}`, ...args], {
    folder: project.folder,
    env: { STORYBOOK_DISABLE_TELEMETRY: '1', CI: '1' },
  })

describe.each(['development', 'a build'])('in %s', (kind) => {
  let root: string
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    if (kind === 'development') {
      const port = await findPort()
      const storybook = run('storybook', '--port', String(port))
      stop = () => storybook.stop()
      await storybook.untilSaid(/for manager and .+ for preview|Storybook ready/)
      root = `http://localhost:${port}/`
      return
    }
    const build = run('build-storybook')
    expect(await build.exit, build.output).toBe(0)
    const server = await serveFolder(join(project.folder, 'storybook-static'), '/')
    root = server.root
    stop = () => Promise.resolve(server.stop())
  })
  afterAll(() => stop?.())

  test('each story has its own responses, on one page', async () => {
    const visit = await openVisit(browser)
    const preview = openPreview(visit.page, root)
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
    const preview = openPreview(visit.page, root)
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

  test('the panel shows the handlers of a story, and the line of the handlers module', async () => {
    const visit = await openVisit(browser)
    await visit.page.goto(`${root}?path=/story/boatlist--failed&addonPanel=@understudy/storybook-addon/panel`)
    const lines = (await project.read('src/mocks/handlers.ts')).split('\n')
    const line = lines.findIndex((text) => text.includes("http.get('/api/boats'")) + 1
    await expect
      .poll(() => visit.page.locator('.us-panel').innerText())
      .toMatch(new RegExp(`Story[^]*/api/boats[^]*503[^]*1 hit[^]*Project[^]*mocks/handlers\\.ts\\s*:${line}\\b`))
    await visit.close()
  })
})
