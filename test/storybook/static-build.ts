import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createHeavyProject, type Project } from '../acceptance/project.ts'
import { fastStories, fastStoriesFile, testFastSwitches } from './fast-switches.ts'
import { openPreview } from './preview-page.ts'
import { serveFolder } from './serve-folder.ts'
import { buildStorybook } from './storybook-tool.ts'

const panelParameter = '&addonPanel=@understudy/storybook-addon/panel'

/**
 * Tests a built Storybook at different base paths, for each builder.
 *
 * @param switchesFast whether to test fast switches, too: in the same build, because builds take longer than their tests
 */
export function describeStaticBuild(sandbox: string, switchesFast = false): void {
  describe(`a build of ${sandbox}`, () => {
    let backend: CountingBackend
    let browser: Browser
    let project: Project

    beforeAll(async () => {
      backend = await startBackend()
      project = await createHeavyProject(
        sandbox,
        switchesFast ? { [fastStoriesFile]: fastStories(backend.origin) } : {},
      )
      const { code, output } = await buildStorybook(sandbox, project)
      expect(code, output).toBe(0)
      browser = await launchBrowser(['--host-resolver-rules=MAP storybook.test 127.0.0.1'])
    })
    afterAll(async () => {
      await browser?.close()
      await project?.dispose()
      await backend?.close()
    })

    if (switchesFast) testFastSwitches(() => ({ backend, browser, project }))

    test.each([
      ['at the root', '/', false],
      ['under a path', '/deep/sub/', false],
      ['under a path, by a host that knows no extensions', '/deep/sub/', true],
    ])('mocks %s', async (_name, base, isClean) => {
      const server = await serveFolder(join(project.folder, 'storybook-static'), base, isClean)
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
      const server = await serveFolder(join(project.folder, 'storybook-static'), '/deep/sub/')
      const visit = await openVisit(browser)
      await visit.page.goto(`${server.root}?path=/story/components-boatlist--failed${panelParameter}`)
      const panel = visit.page.locator('.us-panel')
      await expect.poll(() => panel.innerText()).toMatch(/Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project/)
      expect(await panel.getByRole('button', { name: /in the editor/ }).count()).toBe(0)
      const files = await readdir(join(project.folder, 'storybook-static'), { recursive: true })
      // Storybook's own configuration of webpack writes source maps.
      const maps = sandbox.includes('webpack') ? [] : files.filter((file) => file.endsWith('.js.map'))
      expect(maps).toEqual([])
      await expect.poll(() => panel.innerText()).toMatch(/BoatList\.stories\.tsx\s*:20\b[^]*mocks\/handlers\.ts\s*:4\b/)
      expect(await panel.locator('.us-notice').count()).toBe(0)
      const places = await project.read('storybook-static/understudy-places.json')
      expect(places).toMatch(/"src\/mocks\/handlers\.ts:/)
      expect(places).not.toContain('"../')
      await visit.close()
      await server.stop()
    })

    test('on an origin without https, requests are answered in the page, and the panel says so', async () => {
      const server = await serveFolder(join(project.folder, 'storybook-static'), '/deep/sub/')
      const root = server.root.replace('localhost', 'storybook.test')
      const visit = await openVisit(browser)
      await visit.page.goto(`${root}?path=/story/components-boatlist--failed${panelParameter}`)
      const story = visit.page.frameLocator('#storybook-preview-iframe').locator('#storybook-root')
      await expect.poll(() => story.innerText()).toContain('The register is closed.')
      expect(await visit.page.evaluate(() => [isSecureContext, 'serviceWorker' in navigator])).toEqual([false, false])
      await expect
        .poll(() => visit.page.locator('.us-panel .us-notice').allInnerTexts())
        .toEqual([
          `Requests are answered in the page itself, because ${new URL(root).origin} can have no service worker: those of ` +
            'elements (images, styles) and of workers are not mocked. Open Storybook by localhost or https.',
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
  })
}
