import type { Browser } from 'playwright'
import { expect, test } from 'vitest'

import { openVisit } from '../acceptance/browser.ts'
import type { Project } from '../acceptance/project.ts'
import { openPreview } from './preview-page.ts'
import { saveFromPanel } from './save-from-panel.ts'

interface BoatListSettings {
  browser(): Browser
  /** The URL of the running Storybook: `http://localhost:6006/`. */
  root(): string
  /** Default: `true`. */
  hasDocs?: boolean
  /** The text that the panel shows for the story with an error. Default: its handlers, without source positions. */
  panelText?(): Promise<RegExp>
  /** The project in which the panel saves a handler. Default: none is saved. */
  savesIn?(): Project | undefined
}

/** Tests the stories of a list of boats, which the sandboxes write for their frameworks. */
export function testBoatList({ browser, root, hasDocs = true, panelText, savesIn }: BoatListSettings): void {
  test('each story has its own responses, on one page', async () => {
    const visit = await openVisit(browser())
    const preview = openPreview(visit.page, root())
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

  test.runIf(hasDocs)('a docs page shows each story with its own responses', async () => {
    const visit = await openVisit(browser())
    const preview = openPreview(visit.page, root())
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

  test('the panel shows the handlers of a story, and saves one in development', async () => {
    const visit = await openVisit(browser())
    await visit.page.goto(`${root()}?path=/story/boatlist--failed&addonPanel=@understudy/storybook-addon/panel`)
    await expect
      .poll(() => visit.page.locator('.us-panel').innerText())
      .toMatch((await panelText?.()) ?? /Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project/)
    const project = savesIn?.()
    if (project) await saveFromPanel(visit.page, project)
    await visit.close()
  })
}
