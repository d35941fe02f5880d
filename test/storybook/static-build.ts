import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { createHeavyProject, type Project } from '../acceptance/project.ts'
import { openPreview } from './preview-page.ts'
import { serveFolder } from './serve-folder.ts'
import { buildStorybook } from './storybook-tool.ts'

/** What must hold of a built Storybook, wherever it is served: the same for each builder. */
export function describeStaticBuild(sandbox: string): void {
  describe(`a build of ${sandbox}`, () => {
    let browser: Browser
    let project: Project

    beforeAll(async () => {
      project = await createHeavyProject(sandbox)
      const { code, output } = await buildStorybook(sandbox, project)
      expect(code, output).toBe(0)
      browser = await launchBrowser()
    })
    afterAll(async () => {
      await browser?.close()
      await project?.dispose()
    })

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
  })
}
