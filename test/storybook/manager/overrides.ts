import type { Page } from 'playwright'
import { expect, test } from 'vitest'

import { openVisit } from '../../acceptance/browser.ts'
import { chooseInToolbar } from '../choose-in-toolbar.ts'
import type { Manager } from './open-manager.ts'

/** Tests overrides, the links that contain them, and the network condition of the toolbar. */
export function testOverrides(manager: Manager): void {
  const { open, show, frame, readStory, panel, readPanel, tab, rowOf } = manager

  testFirstOverrides(manager)

  test('after a change, the panel offers to remount the story', async () => {
    await show('components-boatlist--default')
    await expect.poll(readStory).toContain('Petrel')
    const remount = panel().getByRole('button', { name: 'Remount story' })
    expect(await remount.count()).toBe(0)
    await rowOf('GET /api/boats').getByRole('button', { name: 'Force an answer of GET /api/boats' }).click()
    await panel().getByRole('combobox', { name: 'Forced answer of GET /api/boats' }).selectOption('500')
    await panel().getByText('status 500').waitFor()
    expect(await readStory()).toContain('Petrel')
    await remount.click()
    await expect.poll(readStory).toContain('could not be loaded')
    await expect.poll(() => remount.count()).toBe(0)
    await panel().getByRole('button', { name: 'Reset all' }).click()
    await remount.click()
    await expect.poll(readStory).toContain('Petrel')
  })

  test('the toolbar changes the network of a story, and of the stories of a docs page', async () => {
    const choose = (name: string): Promise<void> => chooseInToolbar(manager.visit.page, 'Network condition', name)
    await show('components-boatlist--default')
    await expect.poll(readStory).toContain('Petrel')
    await choose('Server errors')
    await expect.poll(readStory).toContain('could not be loaded: Internal Server Error')
    // The condition is not a handler of the manager.project.
    await tab('Handlers 5').waitFor()
    expect(await readPanel()).not.toMatch(/\btoolbar\n|Shadowed|Overridden/)
    await tab('Requests').click()
    await panel()
      .getByRole('option', { name: /\/api\/boats/ })
      .click()
    await panel().getByText('with a forced status: 500').waitFor()
    await panel().getByRole('button', { name: 'Close the request' }).click()
    await choose('Slow network')
    await manager.visit.page.getByText('The toolbar makes the network slow').waitFor()
    await expect.poll(readStory).toContain('Petrel')
    await choose('Offline')
    await expect.poll(readStory).toContain('could not be loaded')
    await expect
      .poll(() => manager.visit.page.getByText('The toolbar makes the network offline').isVisible())
      .toBe(true)
    await manager.visit.page.getByRole('link', { name: 'Docs' }).first().click()
    const story = frame().locator('#story--components-boatlist--default--primary')
    await expect.poll(() => story.innerText()).toContain('could not be loaded')
    await choose('Network as mocked')
    // Storybook has written its parameters again, without the panel. The test above has reset an override.
    expect(manager.visit.page.url()).not.toContain('understudy=')
    await expect.poll(() => story.innerText()).toContain('Petrel')
    const framed = frame().locator('#story--components-boatlist--empty iframe').contentFrame()
    await expect.poll(() => framed.locator('#storybook-root').innerText()).toContain('No boats today.')
  })

  test('a link also works without a panel, on docs pages, and for the next story', async () => {
    const forced = `&panel=false&understudy=${encodeURIComponent('project+GET+%2Fapi%2Fboats=503')}`
    await open('/story/components-boatlist--default', forced)
    // The story makes one request, so the shown answer is the first one.
    await expect.poll(readStory).toContain('could not be loaded')
    expect(await panel().isVisible()).toBe(false)
    await manager.visit.page.getByRole('link', { name: 'Empty' }).click()
    await expect.poll(readStory).toContain('No boats today.')
    await manager.visit.page.getByRole('link', { name: 'Default' }).click()
    await expect.poll(readStory).toContain('could not be loaded')
    const ofStories = `&panel=false&understudy=${encodeURIComponent('story+GET+%2Fapi%2Fboats=error')}`
    await open('/docs/components-boatlist--docs', ofStories)
    const framed = frame().locator('#story--components-boatlist--empty iframe').contentFrame()
    await expect.poll(() => framed.locator('#storybook-root').innerText()).toContain('could not be loaded')
    const inline = frame().locator('#story--components-boatlist--default--primary')
    await expect.poll(() => inline.innerText()).toContain('Petrel')
    await manager.closePage()
  })
}

/** Reads the URL of the manager, with the settings of the panel decoded. */
function readUrl(page: Page): string {
  return decodeURIComponent(page.url().replaceAll('~', '%'))
}

/** Tests that overrides apply to the first request of a story, whose handlers and settings a builder puts into the preview. */
export function testFirstOverrides(manager: Manager): void {
  const { show, readStory, panel } = manager

  test('disabled handlers and overrides are in the link, and apply to the first request', async () => {
    await show('components-boatlist--failed')
    // The project's handler with that name may be added before the story's.
    const ofStory = panel().getByRole('region', { name: 'story' })
    await ofStory.getByRole('switch', { name: 'GET /api/boats' }).click()
    await expect.poll(() => readUrl(manager.visit.page)).toMatch(/understudy=story[^]*=off/)
    const ofProject = panel().getByRole('region', { name: 'project' })
    await ofProject.getByRole('button', { name: 'Force an answer of GET /api/boats' }).click()
    const answer = ofProject.getByRole('combobox', { name: 'Forced answer of GET /api/boats' })
    await answer.selectOption('409')
    await ofProject.getByText('status 409').waitFor()
    await ofProject.getByRole('slider', { name: 'Delay of GET /api/boats' }).press('ArrowRight')
    await ofProject.getByText('+100 ms').waitFor()
    await expect.poll(() => readUrl(manager.visit.page)).toContain('409.delay-100')
    const link = manager.visit.page.url()

    const other = await openVisit(manager.browser)
    await other.page.goto(link)
    const otherStory = other.page.frameLocator('#storybook-preview-iframe').locator('#storybook-root')
    await expect.poll(() => otherStory.innerText()).toContain('could not be loaded')
    const otherPanel = other.page.locator('.us-panel')
    await expect.poll(() => otherPanel.getByRole('switch').first().getAttribute('aria-checked')).toBe('false')
    await other.page.getByText('status 409').waitFor()
    // Storybook writes all parameters again.
    await chooseInToolbar(other.page, 'Network condition', 'Slow network')
    await expect.poll(() => other.page.url()).toContain('globals=')
    expect(other.page.url()).not.toMatch(/[?&]project/)
    await other.page.reload()
    // Storybook leaves out the selected panel.
    await other.page
      .getByRole('tab', { name: /^Handlers/ })
      .first()
      .click()
    await other.page.getByText('status 409').waitFor()
    await expect.poll(() => otherPanel.getByRole('switch').first().getAttribute('aria-checked')).toBe('false')
    await other.close()

    await answer.selectOption('Network error')
    await expect.poll(() => readUrl(manager.visit.page)).toContain('error')
    // An event of the preview between the change and the next rendering of Storybook, which writes the parameters of the last one.
    await ofStory.getByRole('switch', { name: 'GET /api/boats' }).evaluate((element: HTMLElement) => {
      const { __STORYBOOK_ADDONS_MANAGER: addons } = globalThis as unknown as {
        __STORYBOOK_ADDONS_MANAGER: {
          getChannel(): { handleEvent(event: object): void; last(event: string): unknown[] | undefined }
        }
      }
      const channel = addons.getChannel()
      const args = channel.last('globalsUpdated') ?? [{ globals: {}, userGlobals: {}, initialGlobals: {} }]
      const push = history.pushState.bind(history)
      history.pushState = (...given) => {
        push(...given)
        history.pushState = push
        channel.handleEvent({ type: 'globalsUpdated', args, from: 'preview', source: location.href })
      }
      element.click()
    })
    await expect.poll(() => readUrl(manager.visit.page)).toMatch(/understudy=(?!.*=off)/)
    await expect.poll(() => readUrl(manager.visit.page)).not.toMatch(/=off/)
    await panel().getByRole('button', { name: 'Reset all' }).click()
    await expect.poll(() => manager.visit.page.url()).not.toContain('understudy=')
    await manager.visit.page.getByRole('link', { name: 'Default' }).click()
    await expect.poll(readStory).toContain('Petrel')
  })
}
