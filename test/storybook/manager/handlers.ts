import { describe, expect, test } from 'vitest'

import type { Manager } from './open-manager.ts'
import { layersFile } from './stories.ts'

/** Tests which handlers the panel shows, their order, and their places in the sources. */
export function testHandlers(manager: Manager): void {
  const { show, frame, readStory, panel, readPanel, tab, ask, rowOf } = manager

  describe('a story with a handler', () => {
    test('the panel shows the handlers in the order in which they answer, and which ones are shadowed', async () => {
      await show('components-boatlist--failed')
      await expect
        .poll(readPanel)
        .toMatch(/Story[^]*\/api\/boats[^]*503[^]*1 hit[^]*Project[^]*Overridden by the story\.[^]*BoatList/)
      expect(await readPanel()).not.toContain('Shadowed')
      await tab('Handlers 5').waitFor()
      // The title of the panel counts problems, and there are none.
      await manager.visit.page.getByRole('tab', { name: 'Handlers', exact: true }).waitFor()
      expect(await rowOf('GET /api/session').innerText()).toContain('never hit')
      await tab('Requests').click()
      await expect.poll(() => manager.visit.page.getByText('/api/boats').first().isVisible()).toBe(true)
    })

    // Storybook 9 does not open editors.
    test.skipIf(manager.sandbox === 'storybook-9')(
      'a click on a place opens the editor at the line that was written',
      async () => {
        await show('components-boatlist--failed')
        const file = 'src/components/BoatList.stories.tsx'
        const lines = (await manager.project.read(file)).split('\n')
        const line = lines.findIndex((text) => text.includes('The register is closed.')) + 1
        await rowOf('GET /api/boats')
          .first()
          .getByRole('button', { name: `Open ${file}:${line} in the editor` })
          .click()
        await expect.poll(() => manager.project.read('opened')).toMatch(new RegExp(`${file} ${line} \\d+\n`))
        await rowOf('POST /api/session')
          .getByRole('button', { name: /^Open src\/mocks\/handlers\.ts:11 / })
          .waitFor()
      },
    )

    test('the panel follows the story that is selected', async () => {
      await show('components-boatlist--failed')
      await expect.poll(readPanel).toContain('BoatList.stories')
      await manager.visit.page.getByRole('link', { name: 'Default' }).click()
      await expect.poll(readStory).toContain('Petrel')
      await expect.poll(readPanel).not.toContain('BoatList.stories')
    })
  })

  describe('a story with handlers of each level', () => {
    test('the panel separates handlers of the story, its component, the preview, the project and run time', async () => {
      await show('layers--all')
      await panel().getByRole('region', { name: 'runtime' }).waitFor()
      const sections = await panel()
        .getByRole('region')
        .evaluateAll((all) =>
          all.map((section) => [
            section.ariaLabel,
            ...Array.from(section.querySelectorAll('[role=switch]'), (handler) => handler.ariaLabel),
          ]),
        )
      expect(sections).toEqual([
        ['runtime', 'GET /api/added'],
        ['story: boats', 'GET /api/boats'],
        ['component: tides', 'GET /api/tides'],
        ['preview: weather', 'GET /api/weather'],
        ['project', 'GET /api/boats', 'GET /api/session', 'POST /api/session', 'query Tides'],
      ])
    })

    test('groups of handlers collapse', async () => {
      await show('layers--all')
      const ofProject = panel().getByRole('region', { name: 'project' })
      const toggle = ofProject.getByRole('button', { name: /^project/ })
      await ofProject.getByRole('switch').first().waitFor()
      await toggle.click()
      await expect.poll(() => ofProject.getByRole('switch').count()).toBe(0)
      expect(await toggle.getAttribute('aria-expanded')).toBe('false')
      // A filter searches the collapsed groups as well.
      await panel().getByLabel('Filter handlers').fill('Tides')
      await ofProject.getByRole('switch', { name: 'query Tides' }).waitFor()
      await panel().getByLabel('Filter handlers').fill('')
      await toggle.press('Enter')
      await ofProject.getByRole('switch', { name: 'query Tides' }).waitFor()
    })
  })

  test('the scenario of a story answers, and the state of the project is edited, and reset for the next story', async () => {
    await show('layers--seals')
    await panel().getByText('Active scenario: seals.').waitFor()
    const body = frame().locator('body')
    const readSeals = (): Promise<string> => body.evaluate(async () => (await fetch('/api/seals')).text())
    expect(await readSeals()).toBe('["Nora"]')
    await tab('State 1').click()
    await panel().getByRole('button', { name: 'Edit seals' }).click()
    await panel().getByRole('textbox', { name: 'JSON of seals' }).fill('["Otto"]')
    await panel().getByRole('button', { name: 'Apply' }).click()
    await panel().getByText('"Otto"').waitFor()
    expect(await readSeals()).toBe('["Otto"]')
    // Another page would start with the initial state anyway.
    await body.evaluate(() => Object.assign(window, { isSame: true }))
    await manager.visit.page.getByRole('link', { name: 'Bodies' }).click()
    await panel().getByText('"Nora"').waitFor()
    await tab('Handlers').click()
    await rowOf('GET /api/picture').waitFor()
    expect(await body.evaluate(() => 'isSame' in window)).toBe(true)
  })

  test('messages name the lines of the sources', async () => {
    const printed: string[] = []
    manager.visit.page.on('console', (message) => printed.push(message.text()))
    const handlersFile = (await manager.project.read('src/mocks/handlers.ts')).split('\n')
    const line = handlersFile.findIndex((text) => text.includes("http.get('/api/boats'")) + 1
    await show('components-unhandled--fails')
    await expect.poll(() => frame().locator('body').innerText()).toContain(`src/mocks/handlers.ts:${line}:`)
    const stories = (await manager.project.read(layersFile)).split('\n')
    const storyLine = stories.findIndex((text) => text.includes("http.get('/api/count/:id'")) + 1
    await show('layers--bodies')
    await rowOf('GET /api/count/:id').waitFor()
    await ask('/api/counts/1')
    await expect.poll(() => printed.join('\n')).toContain(`/Layers.stories.tsx:${storyLine}:`)
    // The next tests click the first link to a docs page, that of the only component which a new page expands.
    await manager.closePage()
  })
}
