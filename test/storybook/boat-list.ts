import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openVisit, type Visit } from '../acceptance/browser.ts'
import type { Project } from '../acceptance/project.ts'
import { openPreview, type PreviewPage } from './preview-page.ts'
import { saveFromPanel } from './save-from-panel.ts'

interface BoatListSettings {
  browser(): Browser
  /** The URL of the running Storybook: `http://localhost:6006/`. */
  root(): string
  /** Default: `true`. */
  hasDocs?: boolean
  /** What more stories show on the docs page, by their ids. */
  moreDocs?: Record<string, RegExp>
  /** The text that the panel shows for the story with an error. Default: its handlers, without source positions. */
  panelText?(): Promise<RegExp>
  /** The project in which the panel saves a handler. Default: none is saved. */
  savesIn?(): Project | undefined
}

/**
 * Tests the stories of a list of boats, which the sandboxes write for their frameworks, on one page of the manager: opening a page takes
 * longer than a test.
 */
export function testBoatList(settings: BoatListSettings): void {
  const { browser, root, hasDocs = true, moreDocs = {}, panelText, savesIn } = settings

  describe('a list of boats', () => {
    let visit: Visit
    let preview: PreviewPage

    beforeAll(async () => {
      visit = await openVisit(browser())
      await visit.page.goto(`${root()}?path=/story/boatlist--failed&addonPanel=@understudy/storybook-addon/panel`)
      const frame = await visit.page.locator('#storybook-preview-iframe').elementHandle()
      preview = openPreview((await frame?.contentFrame()) ?? visit.page, root())
    })
    afterAll(() => visit?.close())

    const select = (name: string): Promise<void> => visit.page.getByRole('link', { name }).first().click()

    test('the panel shows the handlers of a story, and saves one in development', async () => {
      await expect
        .poll(() => visit.page.locator('.us-panel').innerText())
        .toMatch((await panelText?.()) ?? /Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project/)
      const project = savesIn?.()
      if (project) await saveFromPanel(visit.page, project)
    })

    test('each story has its own responses, on one page', async () => {
      visit.errors.length = 0
      await expect.poll(() => preview.text()).toContain('The register is closed.')
      await preview.rendered('boatlist--failed')
      await preview.mark()
      await select('Loading')
      await expect.poll(() => preview.text()).toContain('Loading boats…')
      await preview.rendered('boatlist--loading')
      await select('Default')
      await expect.poll(() => preview.text()).toContain('Petrel')
      expect(await preview.isMarked()).toBe(true)
      expect(visit.errors).toEqual([])
    })

    test.runIf(hasDocs)('a docs page shows each story with its own responses', async () => {
      await select('Docs')
      const more = Object.entries(moreDocs).map(([id, text]) => [id, expect.stringMatching(text) as unknown])
      await expect
        .poll(() => preview.docs())
        .toMatchObject({
          'boatlist--default': expect.stringContaining('Petrel'),
          'boatlist--loading': expect.stringMatching(/^framed:[^]*Loading boats…/),
          'boatlist--failed': expect.stringMatching(/^framed:[^]*The register is closed\./),
          ...(Object.fromEntries(more) as object),
        })
    })
  })
}
