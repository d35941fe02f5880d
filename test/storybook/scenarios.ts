import type { FrameLocator } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Visit } from '../acceptance/browser.ts'
import { savingUntil } from '../acceptance/project.ts'
import { chooseInToolbar } from './choose-in-toolbar.ts'
import type { PreviewPage } from './preview-page.ts'
import { serveStorybook } from './serve-storybook.ts'

const handlersFile = 'src/mocks/handlers.ts'
const scenarios = `
const boat = (name: string) => [{ id: 'X', name, length: 9, berth: 'A3' }]

export const scenarios = {
  empty: [http.get('/api/boats', () => HttpResponse.json([]))],
  single: [http.get('/api/boats', () => HttpResponse.json(boat('Dipper')))],
}
`
const stories = `import type { Meta, StoryObj } from '@storybook/react-vite'
import { http, HttpResponse } from '@understudy/engine'

import { BoatList } from './BoatList.tsx'

const meta: Meta<typeof BoatList> = { component: BoatList, title: 'Scenarios' }
export default meta
type Story = StoryObj<typeof BoatList>

export const Without: Story = {}
export const Empty: Story = { parameters: { understudy: { scenario: 'empty' } } }
export const Single: Story = { parameters: { understudy: { scenario: ['single'] } } }
export const Own: Story = {
  parameters: {
    understudy: { scenario: 'empty' },
    handlers: [http.get('/api/boats', () => HttpResponse.json([{ id: 'Y', name: 'Curlew', length: 9, berth: 'A3' }]))],
  },
}
export const Unknown: Story = { parameters: { understudy: { scenario: 'emtpy' } } }
`

/** Tests that stories and the toolbar activate the scenarios of the project's handlers module. */
export function describeScenarios(sandbox: string): void {
  describe(`scenarios in ${sandbox}`, () => {
    const storybook = serveStorybook(sandbox, { 'src/components/Scenarios.stories.tsx': stories }, async (project) => {
      handlers = (await project.read(handlersFile)) + scenarios
      await project.write(handlersFile, handlers)
    })
    let visit: Visit
    let preview: PreviewPage
    let handlers: string

    beforeEach(async () => {
      ;({ visit, preview } = await storybook.openProfile())
    })

    const expectText = async (text: string): Promise<void> => {
      await expect.poll(() => preview.text()).toContain(text)
    }

    test('each story has the scenario of its parameters, on the same page', async () => {
      await preview.open('scenarios--empty')
      await expectText('No boats today.')
      await preview.mark()
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
      await preview.open('scenarios--unknown')
      await expect
        .poll(() => visit.page.locator('body').innerText())
        .toContain(
          'Failed to activate the scenario "emtpy": src/mocks/handlers.ts has no scenario of this name. ' +
            'Did you mean "empty"? The scenarios are: "empty", "single".',
        )
    })

    test('an edit of the scenario applies to the next request', async () => {
      await preview.open('scenarios--single')
      await expectText('Dipper')
      const read = (): Promise<string> => visit.page.evaluate(async () => (await fetch('/api/boats')).text())
      await savingUntil(storybook.project, handlersFile, handlers.replace('Dipper', 'Avocet'), read).toContain('Avocet')
      await savingUntil(storybook.project, handlersFile, handlers, read).toContain('Dipper')
    })

    test('each story of a docs page has its own scenario', async () => {
      await preview.open('scenarios--docs')
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

    test('the toolbar activates a scenario before those of the story, and the panel names them', async () => {
      const frame = (): FrameLocator => visit.page.frameLocator('#storybook-preview-iframe')
      const readStory = (): Promise<string> => frame().locator('#storybook-root').innerText()
      const panel = visit.page.locator('.us-panel')
      const choose = (name: string): Promise<void> => chooseInToolbar(visit.page, 'Scenario', name)
      await visit.page.goto(
        `${storybook.root}?path=/story/scenarios--empty&addonPanel=@understudy/storybook-addon/panel`,
      )
      await expect.poll(readStory).toContain('No boats today.')
      await expect.poll(() => panel.innerText()).toContain('Active scenario: empty.')
      await panel.getByRole('region', { name: 'scenario: empty' }).waitFor()
      await choose('single')
      await expect.poll(readStory).toContain('Dipper')
      await expect.poll(() => panel.innerText()).toContain('Active scenarios: single, empty.')
      expect(visit.page.url()).toContain('understudyScenario:single')
      // The choice stays for other stories, and for a reload.
      await visit.page.reload()
      await expect.poll(readStory).toContain('Dipper')
      await choose('Scenario of the story')
      await expect.poll(readStory).toContain('No boats today.')
    })
  })
}
