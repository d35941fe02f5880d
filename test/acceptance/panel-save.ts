import type { Locator, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { findAccessibilityProblems } from './accessibility.ts'
import type { Visit } from './browser.ts'
import type { BuildTool, Extent } from './build-tool.ts'
import { serveApp } from './serve-app.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

const users = [1, 2, 3, 4, 5].map((id) => ({ id, email: \`user\${id}@corp.test\` }))

export const handlers = [
  http.get('/api/users/:id', ({ params }) => HttpResponse.json({ ...users[0], id: params.id, token: 'abc' })),
  http.get('/api/users', () => HttpResponse.json(users)),
]
`

/** Saves handlers from the panel: the dialog, the keyboard, and files that cannot be edited. */
export function testPanelSave(tool: BuildTool, extent: Extent = 'all'): void {
  describe(`${tool.name}, the dialog that saves a handler`, () => {
    const served = serveApp(tool, {
      [handlersFile]: handlers,
      'src/main.js':
        'window.asked = 0\nwindow.ask = async (path) => {\n  window.asked += 1\n  return (await fetch(path)).text()\n}\nwindow.first = window.ask("/api/users")\n',
    })
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      app = await served.openApp()
      await app.page.evaluate('first')
      panel = await served.openPanel(app)
      await panel.getByRole('switch', { name: 'GET /api/users', exact: true }).waitFor()
    })

    afterEach(() => expect(app.errors).toEqual([]))

    const ask = (path: string): Promise<string> => app.page.evaluate<string>(`ask('${path}')`)
    const button = (name: string): Locator => panel.getByRole('button', { name, exact: true })
    const dialog = (): Locator => panel.getByRole('dialog', { name: 'Save as handler' })
    const save = (): Locator => dialog().getByRole('button', { name: 'Save', exact: true })
    const diff = (): Promise<string | null> =>
      dialog()
        .getByRole('group', { name: `Changes in ${handlersFile}` })
        .textContent()

    /** Opens the details of the newest request, when the panel lists all of them. */
    async function openRequest(path: string): Promise<void> {
      const count = await app.page.evaluate<number>('asked')
      await panel.getByRole('tab', { name: `Requests ${count}`, exact: true }).click()
      await panel
        .getByRole('option', { name: new RegExp(`${path} `) })
        .first()
        .click()
      await button('Save as handler').waitFor()
    }

    /** Edits the newest response of `/api/users`, and opens the dialog that saves it. */
    async function saveEdited(body: string): Promise<void> {
      await ask('/api/users')
      await openRequest('/api/users')
      await button('Edit response').click()
      await panel.getByRole('textbox', { name: 'Body' }).fill(body)
      await panel
        .getByRole('region', { name: /^Edit the response/ })
        .getByRole('button', { name: 'Save as handler' })
        .click()
    }

    const change = (): Locator => dialog().getByRole('combobox', { name: 'Change' })

    /** Chooses to keep the resolver, and waits until the diff of that choice is shown. */
    async function addBefore(): Promise<void> {
      await change().selectOption('Add before it')
      await expect.poll(() => save().isEnabled()).toBe(true)
      expect(await diff()).not.toContain('\n-')
    }

    test('an edited response replaces the resolver, and undo restores the file', async () => {
      await app.page.evaluate('window.isSame = true')
      await saveEdited('{"isReplaced":1}')
      await expect.poll(diff).toContain("+  http.get('/api/users', () => HttpResponse.json({ isReplaced: 1 })),")
      expect(await diff()).toContain("-  http.get('/api/users', () => HttpResponse.json(users)),")
      expect(await change().inputValue()).toBe('replace')
      await save().click()
      await button('Undo: restore GET /api/users').waitFor()
      const replaced = handlers.replace('json(users)', 'json({ isReplaced: 1 })')
      expect(await served.project.read(handlersFile)).toBe(replaced)
      await expect.poll(() => ask('/api/users')).toBe('{"isReplaced":1}')

      await button('Undo: restore GET /api/users').click()
      await expect.poll(() => served.project.read(handlersFile)).toBe(handlers)
      await expect.poll(() => ask('/api/users')).toContain('user5@corp.test')
      expect(await app.page.evaluate('window.isSame')).toBe(true)
    })

    test('an edited response is saved, and an undo after another edit of the file is refused', async () => {
      await saveEdited('{"isEdited":true}')
      await addBefore()
      await expect.poll(diff).toContain("+  http.get('/api/users', () => HttpResponse.json({ isEdited: true })),")
      await save().click()
      await button('Undo: remove GET /api/users').waitFor()
      await expect.poll(() => ask('/api/users')).toBe('{"isEdited":true}')
      await served.project.write(handlersFile, `${await served.project.read(handlersFile)}// Mine.\n`)
      await button('Undo: remove GET /api/users').click()
      await panel.getByRole('alert').filter({ hasText: 'US0848' }).waitFor()
      expect(await served.project.read(handlersFile)).toContain('isEdited')
      await served.project.write(handlersFile, handlers)
    })

    test('without an array in the file, the code can be copied', async () => {
      await ask('/api/users')
      await openRequest('/api/users')
      await served.project.write(handlersFile, handlers.replace('const handlers =', 'let handlers\nhandlers ='))
      await button('Save as handler').click()
      await dialog().getByRole('alert').filter({ hasText: 'US0846' }).waitFor()
      expect(await dialog().getByRole('group', { name: 'The handler' }).textContent()).toContain(
        "http.get('/api/users', ",
      )
      expect(await save().count()).toBe(0)
      await dialog().getByRole('button', { name: 'Copy the handler' }).waitFor()
      await dialog().getByRole('button', { name: 'Cancel' }).click()
      await served.project.write(handlersFile, handlers)
    })

    // What follows is code of the panel, which is the same with each build tool.
    if (extent === 'main') return

    test('the dialog works with the keyboard, and returns the focus', async () => {
      await ask('/api/users')
      await openRequest('/api/users')
      await button('Save as handler').focus()
      await panel.keyboard.press('Enter')
      await dialog().getByText('Redacted: [].email.').waitFor()
      await dialog().getByText('Shortened the list to 3 of 5 items.').waitFor()
      expect(await diff()).toContain("email: 'person@example.com'")
      for (const colorScheme of ['light', 'dark'] as const) {
        await panel.emulateMedia({ colorScheme })
        for (const width of [400, 1280]) {
          await panel.setViewportSize({ width, height: 800 })
          expect(await findAccessibilityProblems(panel)).toEqual([])
        }
      }
      await panel.keyboard.press('Escape')
      await dialog().waitFor({ state: 'detached' })
      expect(await button('Save as handler').evaluate((each) => each === document.activeElement)).toBe(true)
      expect(await served.project.read(handlersFile)).toBe(handlers)
    })

    test('the path of the handler is suggested, and the one of the request can be chosen', async () => {
      await ask('/api/users/7')
      await openRequest('/api/users/7')
      await button('Save as handler').click()
      await expect.poll(diff).toContain("http.get('/api/users/:id', () => HttpResponse.json(")
      await dialog().getByRole('combobox', { name: 'Path' }).selectOption('/api/users/7')
      await expect.poll(diff).toContain("http.get('/api/users/7', () =>")
      expect(await diff()).toContain("token: 'redacted'")
      await dialog().getByRole('button', { name: 'Cancel' }).click()
    })

    test('two saved handlers are undone one after the other', async () => {
      for (const text of ['{"isFirst":1}', '{"isSecond":1}']) {
        await saveEdited(text)
        await expect.poll(() => save().isEnabled()).toBe(true)
        await save().click()
        await expect.poll(() => ask('/api/users')).toBe(text)
      }
      await button('Undo: restore GET /api/users').click()
      await expect.poll(() => ask('/api/users')).toBe('{"isFirst":1}')
      await button('Undo: restore GET /api/users').click()
      await expect.poll(() => served.project.read(handlersFile)).toBe(handlers)
      await button('Undo: restore GET /api/users').waitFor({ state: 'detached' })
    })

    test('a resolver that reads the request is replaced only on request', async () => {
      await ask('/api/users/7')
      await openRequest('/api/users/7')
      await button('Save as handler').click()
      await expect.poll(diff).toContain("+  http.get('/api/users/:id', ")
      expect(await change().inputValue()).toBe('insert')
      await change().selectOption('Replace the handler')
      await dialog().getByText("The resolver's own code is replaced: 1 line.").waitFor()
      expect(await diff()).toContain("-  http.get('/api/users/:id', ({ params }) =>")
      await addBefore()
      await dialog().getByRole('button', { name: 'Cancel' }).click()
      expect(await served.project.read(handlersFile)).toBe(handlers)
    })

    test('a file that changes while the diff is shown is not overwritten, and gets a new diff', async () => {
      await ask('/api/users')
      await openRequest('/api/users')
      await button('Save as handler').click()
      await expect.poll(diff).toContain("+  http.get('/api/users',")
      await addBefore()
      await served.project.edit(handlersFile, '[1, 2, 3, 4, 5]', '[1, 2, 3, 4, 6]')
      await save().click()
      await dialog().getByRole('alert').filter({ hasText: 'US0847' }).waitFor()
      await expect.poll(diff).toContain('[1, 2, 3, 4, 6]')
      // If there can be no new diff, the only message says why.
      await served.project.write(
        handlersFile,
        `${handlers.replace('export const handlers', 'export let handlers')}\nhandlers = handlers.slice()\n`,
      )
      await save().click()
      await dialog().getByRole('alert').filter({ hasText: 'US0846' }).waitFor()
      expect(await dialog().getByRole('alert').count()).toBe(1)
      await dialog().getByRole('button', { name: 'Cancel' }).click()
      await served.project.write(handlersFile, handlers)
    })
  })
}
