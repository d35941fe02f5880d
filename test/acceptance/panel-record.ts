import { join } from 'node:path'

import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'

import { findAccessibilityProblems } from './accessibility.ts'
import type { Visit } from './browser.ts'
import type { BuildTool, Extent } from './build-tool.ts'
import { serveApp } from './serve-app.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
]
`
const fromBackend = '{"from":"the backend"}'

/** Records responses of a backend in the panel, saves them as handlers, and imports an HTTP archive. */
export function testPanelRecord(tool: BuildTool, extent: Extent = 'all'): void {
  describe(`${tool.name}, recording in the panel`, () => {
    const served = serveApp(
      tool,
      {
        [handlersFile]: handlers,
        'src/main.js': `window.ask = (path, init) => fetch(path, init).then((response) => response.text(), () => 'failed')
window.ready = window.ask('/api/user')
`,
      },
      { plugin: { onUnhandledRequest: 'error' } },
    )
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      await served.project.write(handlersFile, handlers)
      served.backend.forget()
      app = await served.openApp()
      await app.page.evaluate('ready')
      panel = await served.openPanel(app)
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await record().waitFor()
    })

    const ask = (path: string, init: object = {}): Promise<string> =>
      app.page.evaluate<string>(`ask('${path}', ${JSON.stringify(init)})`)
    const record = (): Locator => panel.getByRole('switch', { name: 'Record' })
    const button = (name: string | RegExp): Locator => panel.getByRole('button', { name, exact: true })
    const review = (): Locator => panel.getByRole('dialog', { name: /^(?:Recorded responses|Responses in )/ })
    const saveDialog = (): Locator => panel.getByRole('dialog', { name: /^Save as handlers?$/ })
    const save = (): Locator => review().getByRole('button', { name: 'Save as handlers' })
    const diff = (): Promise<string | null> =>
      saveDialog()
        .getByRole('group', { name: `Changes in ${handlersFile}` })
        .textContent()

    async function startRecording(mode: 'unmatched requests' | 'all requests'): Promise<void> {
      await panel.getByRole('combobox', { name: 'What to record' }).selectOption(mode)
      await record().click()
      await panel.getByText(/^Recording (?:all|unmatched) requests$/).waitFor()
    }

    test('unmatched requests are recorded, saved in one edit, answered without a reload, and the edit is undone', async () => {
      expect(await ask('/api/before')).toBe('failed')
      await startRecording('unmatched requests')
      expect(await ask('/api/plays')).toBe(fromBackend)
      expect(await ask('/api/plays', { method: 'POST', body: '{}' })).toBe(fromBackend)
      expect(await ask('/api/plays')).toBe(fromBackend)
      expect(await ask('/api/user')).toBe('{"name":"Ada"}')
      expect(served.backend.requests).toEqual(['GET /api/plays', 'POST /api/plays', 'GET /api/plays'])

      await button('Review 3 responses').click()
      await expect.poll(() => review().getByRole('checkbox', { checked: true }).count()).toBe(4)
      await save().click()
      await saveDialog().getByText('GET /api/plays: 2 responses, of which the last one is saved.').waitFor()
      expect(await diff()).toContain("+  http.post('/api/plays', () => HttpResponse.json({ from: 'the backend' })),")
      expect(await served.project.read(handlersFile)).toBe(handlers)
      await saveDialog().getByRole('button', { name: 'Save', exact: true }).click()
      await button('Undo: remove 2 handlers').waitFor()
      await expect.poll(() => review().count()).toBe(0)
      expect(await panel.evaluate('document.activeElement.textContent')).toBe('Review 3 responses')

      await record().click()
      await expect.poll(() => record().getAttribute('aria-checked')).toBe('false')
      served.backend.forget()
      await expect.poll(() => ask('/api/plays')).toBe(fromBackend)
      expect(await ask('/api/plays', { method: 'POST', body: '{}' })).toBe(fromBackend)
      expect(served.backend.requests).toEqual([])
      await button('Undo: remove 2 handlers').click()
      await expect.poll(() => served.project.read(handlersFile)).toBe(handlers)
      await expect.poll(() => ask('/api/plays')).toBe('failed')
    })

    // What follows is code of the panel, which is the same with each build tool.
    if (extent === 'main') return

    test('with all requests recorded, no handler answers until a reset, also after a reload', async () => {
      await startRecording('all requests')
      expect(await ask('/api/user')).toBe(fromBackend)
      expect(panel.url()).toContain('record=all')
      served.backend.forget()
      await app.page.reload()
      expect(await app.page.evaluate('ready')).toBe(fromBackend)
      expect(served.backend.requests).toEqual(['GET /api/user'])
      await expect.poll(() => record().getAttribute('aria-checked')).toBe('true')
      await panel.getByText('recorded', { exact: true }).first().waitFor()
      await button('Reset all').click()
      await expect.poll(() => record().getAttribute('aria-checked')).toBe('false')
      expect(await ask('/api/user')).toBe('{"name":"Ada"}')
      expect(panel.url()).not.toContain('record')
    })

    test('the recording ends with the panel, and the address of the panel starts it again', async () => {
      await startRecording('all requests')
      const address = panel.url()
      await panel.close()
      await expect.poll(() => ask('/api/user')).toBe('{"name":"Ada"}')
      panel = await served.openPanel(app, new URL(address).hash)
      await panel.getByText('Recording all requests').waitFor()
      await expect.poll(() => ask('/api/user')).toBe(fromBackend)
    })

    test('a GraphQL operation is saved as one, although no handler read it', async () => {
      await startRecording('all requests')
      const query = (text: string): object => ({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: text }),
      })
      await ask('/api/graphql', query('query GetPlays { plays }'))
      await ask('/api/graphql', query('mutation Book($id: ID!) { book(id: $id) }'))
      await button('Review 2 responses').click()
      await save().click()
      await expect.poll(diff).toContain("graphql.query('GetPlays',")
      // The file imports only `http`.
      expect(await diff()).toMatch(/^\+import \{.*\bgraphql\b.*\} from '@understudy\/engine'$/m)
      expect(await diff()).toContain("graphql.mutation('Book',")
    })

    test('a saved archive is imported, and gives the same handlers', async () => {
      await startRecording('unmatched requests')
      await ask('/api/plays/1')
      await ask('/api/plays/2')
      await ask('/api/seasons', { method: 'PUT', body: 'x' })
      await button('Review 3 responses').click()
      // A response without its whole body is not selected.
      await review().getByText('3 of 3 responses selected').waitFor()
      const downloading = panel.waitForEvent('download')
      await review().getByRole('button', { name: 'Save HAR' }).click()
      const path = join(served.project.folder, 'recorded.har')
      await (await downloading).saveAs(path)
      await save().click()
      await saveDialog().getByRole('combobox', { name: 'Path' }).waitFor()
      const own = await diff()
      expect(own).toContain("http.get('/api/plays/2',")
      await saveDialog().getByRole('button', { name: 'Cancel' }).click()
      await review().getByRole('button', { name: 'Close' }).click()
      await button('Clear the list of requests').click()

      const choosing = panel.waitForEvent('filechooser')
      await button('Import HAR').click()
      await (await choosing).setFiles(path)
      await review().getByText('3 of 3 responses selected').waitFor()
      await save().click()
      await expect.poll(diff).toBe(own)
      await saveDialog().getByRole('combobox', { name: 'Path' }).selectOption('With parameters')
      await expect.poll(diff).toContain("http.get('/api/plays/:id',")
      expect(await diff()).not.toContain("'/api/plays/2'")
      await saveDialog().getByRole('button', { name: 'Save', exact: true }).click()
      await button('Undo: remove 2 handlers').waitFor()
      expect(await served.project.read(handlersFile)).toContain("http.put('/api/seasons',")
    })

    test('a reload of the app does not change the review, and too many responses cannot be saved at once', async () => {
      await startRecording('all requests')
      await app.page.evaluate(async (length) => {
        await Promise.all(Array.from({ length }, (_, index) => fetch(`/api/plays/${index}`)))
      }, 101)
      await button('Review 101 responses').click()
      await review().getByText('101 of 101 responses selected').waitFor()
      await save().click()
      await review().getByRole('alert').filter({ hasText: 'US0839' }).waitFor()
      await review().getByRole('searchbox', { name: 'Filter responses' }).fill('plays/1')
      await review().getByRole('checkbox', { name: 'Select all' }).uncheck()
      // 1, 10 to 19, and 100.
      await review().getByText('89 of 101 responses selected').waitFor()
      await app.page.reload()
      expect(await app.page.evaluate('ready')).toBe(fromBackend)
      await review().getByText('89 of 101 responses selected').waitFor()
      await save().click()
      await saveDialog().getByRole('button', { name: 'Save', exact: true }).click()
      await button('Undo: remove 89 handlers').waitFor()
    })

    test('the first request of an empty list leaves the focus where it is', async () => {
      await button('Clear the list of requests').click()
      await panel.getByText('No requests yet').waitFor()
      await record().focus()
      await ask('/api/user')
      await button('Clear the list of requests').waitFor()
      expect(await record().evaluate((element) => element === document.activeElement)).toBe(true)
    })

    test('a file that is dropped and is not an archive gets an error', async () => {
      const transfer = await panel.evaluateHandle(() => {
        const data = new DataTransfer()
        data.items.add(new File(['<html>'], 'page.html'))
        return data
      })
      const group = panel.getByRole('group', { name: 'Recording' })
      await group.dispatchEvent('dragover', { dataTransfer: transfer })
      await group.dispatchEvent('drop', { dataTransfer: transfer })
      await review().getByRole('alert').filter({ hasText: 'Failed to import page.html: it is not JSON.' }).waitFor()
      await panel.keyboard.press('Escape')
      await expect.poll(() => review().count()).toBe(0)
    })

    test('the review works with the keyboard, in light and dark, and in a narrow window', async () => {
      await startRecording('unmatched requests')
      await ask('/api/plays')
      await ask(`/api/a-path-that-is-long/${'segment/'.repeat(20)}`)
      await button('Review 2 responses').focus()
      await panel.keyboard.press('Enter')
      await review().getByText('2 of 2 responses selected').waitFor()
      await review().getByRole('checkbox', { name: 'Select all' }).focus()
      await panel.keyboard.press('Space')
      await review().getByText('0 of 2 responses selected').waitFor()
      expect(await save().isDisabled()).toBe(true)
      await review().getByRole('checkbox', { name: 'GET /api/plays', exact: true }).check()
      await review().getByText('1 of 2 responses selected').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await panel.emulateMedia({ colorScheme })
        for (const width of [400, 1280]) {
          await panel.setViewportSize({ width, height: 800 })
          expect(await findAccessibilityProblems(panel)).toEqual([])
        }
      }
      await panel.keyboard.press('Escape')
      await expect.poll(() => review().count()).toBe(0)
      expect(await button('Review 2 responses').evaluate((each) => each === document.activeElement)).toBe(true)
    })
  })
}
