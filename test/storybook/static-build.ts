import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import type { Extent } from '../acceptance/build-tool.ts'
import { createHeavyProject, type Project } from '../acceptance/project.ts'
import { openPreview } from './preview-page.ts'
import { serveFolder } from './serve-folder.ts'
import { buildStorybook } from './storybook-tool.ts'

const panelParameter = '&addonPanel=@understudy/storybook-addon/panel'

/** A static build of the Storybook of a sandbox, with Playwright's Chromium. */
export interface BuiltStorybook {
  readonly sandbox: string
  readonly browser: Browser
  readonly project: Project
  /** The folder of the build. */
  readonly folder: string
}

/**
 * Builds a Storybook for the tests of a file or of a `describe`, because a build takes longer than their tests.
 *
 * @param prepare changes the project before the build
 */
export function useStaticBuild(sandbox: string, prepare?: (project: Project) => Promise<void>): BuiltStorybook {
  let browser: Browser
  let project: Project

  beforeAll(async () => {
    project = await createHeavyProject(sandbox)
    await prepare?.(project)
    const { code, output } = await buildStorybook(sandbox, project)
    expect(code, output).toBe(0)
    browser = await launchBrowser(['--host-resolver-rules=MAP storybook.test 127.0.0.1'])
  })
  afterAll(async () => {
    await browser?.close()
    await project?.dispose()
  })

  return {
    sandbox,
    get browser() {
      return browser
    },
    get project() {
      return project
    },
    get folder() {
      return join(project.folder, 'storybook-static')
    },
  }
}

/** Tests the build of another builder than Vite. */
export function describeStaticBuild(sandbox: string): void {
  describe(`a build of ${sandbox}`, () => {
    testStaticBuild(useStaticBuild(sandbox), 'main')
  })
}

/** Tests a built Storybook at different base paths. */
export function testStaticBuild(built: BuiltStorybook, extent: Extent = 'all'): void {
  const places = [
    ['under a path', '/deep/sub/', false],
    ['at the root', '/', false],
    ['under a path, by a host that knows no extensions', '/deep/sub/', true],
  ] as const
  test.each(extent === 'main' ? places.slice(0, 1) : places)('mocks %s', async (_name, base, isClean) => {
    const { browser, folder } = built
    const server = await serveFolder(folder, base, isClean)
    const visit = await openVisit(browser)
    const preview = openPreview(visit.page, server.root)
    await preview.open('components-boatlist--failed')
    await expect.poll(() => preview.text()).toContain('The register is closed.')
    await preview.select('components-boatlist--default')
    await expect.poll(() => preview.text()).toContain('Petrel')
    await preview.select('components-boatlist--docs')
    await expect
      .poll(() => preview.docs())
      .toMatchObject({
        'components-boatlist--default': expect.stringContaining('Petrel'),
        'components-boatlist--empty': expect.stringContaining('framed: In the harbour\n\nNo boats today.'),
      })
    const workers = await visit.page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ scope, active }) => [scope, active?.scriptURL]),
    )
    const frame = new URL(isClean ? 'iframe' : 'iframe.html', server.root).href
    expect(workers).toEqual([[frame, expect.stringMatching(`^${server.root}understudy-storybook-worker-`)]])
    expect(visit.errors).toEqual([])
    await visit.close()
    await server.stop()
  })

  test('the panel shows the handlers, without links to an editor', async () => {
    const { browser, folder } = built
    const server = await serveFolder(folder, '/deep/sub/')
    const visit = await openVisit(browser)
    await visit.page.goto(`${server.root}?path=/story/components-boatlist--failed${panelParameter}`)
    const panel = visit.page.locator('.us-panel')
    await expect.poll(() => panel.innerText()).toMatch(/Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project/)
    expect(await panel.getByRole('button', { name: /in the editor/ }).count()).toBe(0)
    const files = await readdir(folder, { recursive: true })
    // Storybook's own configuration of webpack writes source maps.
    const maps = built.sandbox.includes('webpack') ? [] : files.filter((file) => file.endsWith('.js.map'))
    expect(maps).toEqual([])
    await expect.poll(() => panel.innerText()).toMatch(/BoatList\.stories\.tsx\s*:20\b[^]*mocks\/handlers\.ts\s*:4\b/)
    expect(await panel.locator('.us-notice').count()).toBe(0)
    const list = await built.project.read('storybook-static/understudy-places.json')
    expect(list).toMatch(/"src\/mocks\/handlers\.ts:/)
    expect(list).not.toContain('"../')
    await visit.close()
    await server.stop()
  })

  // What follows is code of the preview, which is the same with each builder.
  if (extent === 'main') return

  test('on an origin without https, requests are answered in the page, and the panel says so', async () => {
    const { browser, folder } = built
    const server = await serveFolder(folder, '/deep/sub/')
    const root = server.root.replace('localhost', 'storybook.test')
    const visit = await openVisit(browser)
    await visit.page.goto(`${root}?path=/story/components-boatlist--failed${panelParameter}`)
    const story = visit.page.frameLocator('#storybook-preview-iframe').locator('#storybook-root')
    await expect.poll(() => story.innerText()).toContain('The register is closed.')
    expect(await visit.page.evaluate(() => [isSecureContext, 'serviceWorker' in navigator])).toEqual([false, false])
    await expect
      .poll(() => visit.page.locator('.us-panel .us-notice').allInnerTexts())
      .toEqual([
        `Requests are answered in the page itself, because ${new URL(root).origin} cannot have a service worker. Requests from ` +
          'elements (images, styles) and from workers are not mocked. Open Storybook on localhost or over https.',
      ])
    await visit.page.getByRole('link', { name: 'Default' }).click()
    await expect.poll(() => story.innerText()).toContain('Petrel')
    await visit.page.getByRole('link', { name: 'Docs' }).first().click()
    const framed = visit.page
      .frameLocator('#storybook-preview-iframe')
      .frameLocator('#story--components-boatlist--empty iframe')
    await expect.poll(() => framed.locator('#storybook-root').innerText()).toContain('No boats today.')
    expect(visit.errors).toEqual([])
    await visit.close()
    await server.stop()
  })

  test('on localhost, if the browser refuses the service worker, the panel does not advise localhost', async () => {
    const { browser, folder } = built
    const server = await serveFolder(folder, '/')
    const visit = await openVisit(browser, { serviceWorkers: 'block' })
    await visit.page.goto(`${server.root}?path=/story/components-boatlist--failed${panelParameter}`)
    await expect
      .poll(() => visit.page.locator('.us-panel .us-notice').allInnerTexts())
      .toEqual([
        'Requests are answered in the page itself, because this page has no service worker. Requests from ' +
          'elements (images, styles) and from workers are not mocked. The console says why.',
      ])
    expect(visit.console.join('\n')).toContain('Mocking is on, in the page itself, because')
    await visit.close()
    await server.stop()
  })
}
