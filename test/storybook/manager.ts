import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, FrameLocator } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import { createHeavyProject, repository, type Project } from '../acceptance/project.ts'
import { startStorybook, type RunningStorybook } from './storybook-tool.ts'

/** What people see around their stories: the panel, the toolbar and the marks in the sidebar. */
export function describeManager(sandbox: string): void {
  describe(`the manager of ${sandbox}`, () => {
    let browser: Browser
    let project: Project
    let storybook: RunningStorybook
    let visit: Visit

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

    beforeEach(async () => {
      visit = await openVisit(browser)
    })
    afterEach(async () => {
      await visit.close()
    })

    const open = async (path: string, parameters = ''): Promise<void> => {
      await visit.page.goto(
        `${storybook.origin}/?path=${path}&addonPanel=@understudy/storybook-addon/panel${parameters}`,
      )
    }
    const preview = (): FrameLocator => visit.page.frameLocator('#storybook-preview-iframe')
    const readStory = (): Promise<string> => preview().locator('#storybook-root').innerText()
    const readPanel = (): Promise<string> =>
      visit.page
        .getByRole('tabpanel', { name: /^Handlers/ })
        .last()
        .innerText()

    test('the panel shows the handlers in the order in which they answer, and who shadows whom', async () => {
      await open('/story/components-boatlist--failed')
      await expect.poll(readPanel).toMatch(/story[^]*\/api\/boats[^]*503[^]*1 hit[^]*project[^]*Shadowed/)
      await expect
        .poll(() =>
          visit.page
            .getByRole('tab', { name: /^Handlers 5/ })
            .first()
            .isVisible(),
        )
        .toBe(true)
      await visit.page.getByRole('tab', { name: /^Requests/ }).click()
      await expect.poll(() => visit.page.getByText('/api/boats').first().isVisible()).toBe(true)
    })

    test('the panel follows the story that is selected', async () => {
      await open('/story/components-boatlist--failed')
      await expect.poll(readPanel).toContain('BoatList.stories')
      await visit.page.getByRole('link', { name: 'Default' }).click()
      await expect.poll(readStory).toContain('Petrel')
      await expect.poll(readPanel).not.toContain('BoatList.stories')
    })

    test('a handler that is switched off stays so by a link', async () => {
      await open('/story/components-boatlist--failed')
      await visit.page.locator('.us-panel').getByRole('switch').first().click()
      await expect.poll(() => visit.page.url()).toContain('understudy=')
      const link = visit.page.url()
      const other = await openVisit(browser)
      await other.page.goto(link)
      await expect
        .poll(() => other.page.locator('.us-panel').getByRole('switch').first().getAttribute('aria-checked'))
        .toBe('false')
      await other.close()
    })

    test('a story with an unhandled request is marked in the sidebar, and its miss is explained', async () => {
      await open('/story/components-unhandled--fails')
      await expect.poll(() => visit.page.getByRole('tab', { name: /^Misses 1/ }).isVisible()).toBe(true)
      await expect
        .poll(() => visit.page.locator('[data-item-id="components-unhandled--fails"]').innerHTML())
        .toMatch(/warning/i)
    })

    test('the toolbar changes the network of a story, and of the stories of a docs page', async () => {
      await open('/story/components-boatlist--default')
      await expect.poll(readStory).toContain('Petrel')
      await visit.page.getByRole('button', { name: /^Network condition/ }).click()
      await visit.page.getByRole('option', { name: /^Offline/ }).click()
      await expect.poll(readStory).toContain('could not be loaded')
      await expect.poll(() => visit.page.getByText('The toolbar makes the network offline').isVisible()).toBe(true)
      await visit.page.getByRole('link', { name: 'Docs' }).first().click()
      const story = preview().locator('#story--components-boatlist--default--primary')
      await expect.poll(() => story.innerText()).toContain('could not be loaded')
      await visit.page.getByRole('button', { name: /^Network condition/ }).click()
      await visit.page.getByRole('option', { name: /^Network as mocked/ }).click()
      await expect.poll(() => story.innerText()).toContain('Petrel')
      const frame = preview().locator('#story--components-boatlist--empty iframe').contentFrame()
      await expect.poll(() => frame.locator('#storybook-root').innerText()).toContain('No boats today.')
    })

    test('axe finds nothing in the panel', async () => {
      await open('/story/components-unhandled--fails')
      await expect.poll(() => visit.page.getByRole('tab', { name: /^Misses 1/ }).isVisible()).toBe(true)
      const axe = await readFile(
        join(repository, 'sandboxes/storybook-react-vite/node_modules/axe-core/axe.min.js'),
        'utf8',
      )
      await visit.page.addScriptTag({ content: axe })
      for (const tab of ['Handlers', 'Requests', 'Misses']) {
        await visit.page
          .locator('.us-panel')
          .getByRole('tab', { name: new RegExp(`^${tab}`) })
          .click()
        const found = await visit.page.evaluate(async () => {
          const { axe: run } = globalThis as unknown as {
            axe: { run(where: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
          }
          const { violations } = await run.run('.us-panel')
          return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
        })
        expect(found, tab).toEqual([])
      }
    })
  })
}
