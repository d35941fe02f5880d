import type { Page } from 'playwright'
import { expect } from 'vitest'

import type { Project } from '../acceptance/project.ts'

const file = 'src/mocks/handlers.ts'

/**
 * Saves a handler for an unhandled request from the panel, and undoes it. The file, the answer of the new handler, and the file after
 * the undo are checked.
 *
 * @param page the manager, with a story and the panel
 */
export async function saveFromPanel(page: Page, project: Project): Promise<void> {
  const panel = page.locator('.us-panel')
  const story = page.frameLocator('#storybook-preview-iframe').locator('body')
  const read = (): Promise<string> => story.evaluate(async () => (await fetch('/api/moorings')).text()).catch(String)
  const before = await project.read(file)
  await panel.getByRole('tab', { name: /^Unhandled/ }).click()
  const save = panel.getByRole('button', { name: 'Save as handler: GET /api/moorings' })
  // The log starts again with the story, which may not have begun yet.
  const isLogged = async (): Promise<boolean> => {
    expect(await read()).not.toBe('{}')
    return save.isVisible()
  }
  await expect.poll(isLogged).toBe(true)
  await save.click()
  await panel.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  const undo = panel.getByRole('button', { name: 'Undo: remove GET /api/moorings' })
  await undo.waitFor()
  expect(await project.read(file)).toContain("http.get('/api/moorings', () => HttpResponse.json({}))")
  await expect.poll(read).toBe('{}')
  await undo.click()
  await expect.poll(() => project.read(file)).toBe(before)
}
