import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openVisit, type Visit } from '../../acceptance/browser.ts'
import { savingUntil } from '../../acceptance/project.ts'
import { chooseInToolbar } from '../choose-in-toolbar.ts'
import { openPreview, type PreviewPage } from '../preview-page.ts'
import type { Manager } from './open-manager.ts'

const handlersFile = 'src/mocks/handlers.ts'

/** Tests that stories and the toolbar activate the scenarios of the project's handlers module. */
export function testScenarios(manager: Manager): void {
  describe('scenarios of stories', () => {
    let visit: Visit
    let preview: PreviewPage

    beforeAll(async () => {
      visit = await openVisit(manager.browser)
      preview = openPreview(visit.page, manager.root)
      await preview.open('scenarios--without')
      await preview.rendered('scenarios--without')
    })
    afterAll(() => visit?.close())

    const expectText = async (text: string): Promise<void> => {
      await expect.poll(() => preview.text()).toContain(text)
    }

    test('each story has the scenario of its parameters, on the same page', async () => {
      await preview.mark()
      await preview.select('scenarios--empty')
      await expectText('No boats today.')
      await preview.select('scenarios--single')
      await expectText('Dipper')
      await preview.select('scenarios--without')
      await expectText('Petrel')
      await preview.select('scenarios--own')
      await expectText('Curlew')
      expect(await preview.isMarked()).toBe(true)
      expect(visit.errors).toEqual([])
    })

    test('an unknown name fails the story, and lists the names', async () => {
      await preview.select('scenarios--unknown')
      await expect
        .poll(() => visit.page.locator('body').innerText())
        .toContain(
          'Failed to activate the scenario "emtpy": src/mocks/handlers.ts has no scenario of this name. ' +
            'Did you mean "empty"? The scenarios are: "seals", "empty", "single".',
        )
    })

    test('an edit of the scenario applies to the next request', async () => {
      await preview.select('scenarios--single')
      await expectText('Dipper')
      const handlers = await manager.project.read(handlersFile)
      const read = (): Promise<string> => visit.page.evaluate(async () => (await fetch('/api/boats')).text())
      await savingUntil(manager.project, handlersFile, handlers.replace('Dipper', 'Avocet'), read).toContain('Avocet')
      await savingUntil(manager.project, handlersFile, handlers, read).toContain('Dipper')
    })

    test('each story of a docs page has its own scenario', async () => {
      await preview.select('scenarios--docs')
      await expect
        .poll(async () => {
          const {
            'scenarios--empty': empty,
            'scenarios--single': single,
            'scenarios--without': without,
          } = await preview.docs()
          return [empty, single, without].join()
        })
        .toMatch(/No boats today[^]*Dipper[^]*Petrel/)
    })
  })

  test('the toolbar activates a scenario before those of the story, and the panel names them', async () => {
    const { readStory, panel } = manager
    const choose = (name: string): Promise<void> => chooseInToolbar(manager.visit.page, 'Scenario', name)
    await manager.show('scenarios--empty')
    await expect.poll(readStory).toContain('No boats today.')
    await expect.poll(() => panel().innerText()).toContain('Active scenario: empty.')
    await panel().getByRole('region', { name: 'scenario: empty' }).waitFor()
    await choose('single')
    await expect.poll(readStory).toContain('Dipper')
    await expect.poll(() => panel().innerText()).toContain('Active scenarios: single, empty.')
    expect(manager.visit.page.url()).toContain('understudyScenario:single')
    // The choice stays for other stories, and for a reload.
    await manager.visit.page.reload()
    await expect.poll(readStory).toContain('Dipper')
    await choose('Scenario of the story')
    await expect.poll(readStory).toContain('No boats today.')
    // Storybook leaves out the selected panel.
    await manager.visit.page
      .getByRole('tab', { name: /^Handlers/ })
      .first()
      .click()
    await panel().waitFor()
  })
}
