import type { Locator, Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { findAccessibilityProblems } from './accessibility.ts'
import type { Visit } from './browser.ts'
import type { BuildTool, Extent } from './build-tool.ts'
import { backendImage } from './counting-backend.ts'
import { serveApp } from './serve-app.ts'

const handlersFile = 'src/mocks/handlers.js'
const handlers = `import { http, HttpResponse } from '@understudy/engine'

const message = new Uint8Array([8, 150, 1, 255])

export const handlers = [
  http.get('/api/message', () => HttpResponse.arrayBuffer(message, { headers: { 'Content-Type': 'application/x-protobuf' } })),
  http.get('/api/large', () => HttpResponse.arrayBuffer(new Uint8Array(400_000).fill(255))),
]
`
const message = [200, 'application/x-protobuf', '089601ff']
const image = [200, 'image/png', Buffer.from(backendImage).toString('hex')]

/** Edits and saves responses whose bodies are not text. */
export function testPanelBytes(tool: BuildTool, extent: Extent = 'all'): void {
  describe(`${tool.name}, responses of bytes in the panel`, () => {
    const served = serveApp(tool, {
      [handlersFile]: handlers,
      'src/main.js': `window.ask = async (path) => {
  const response = await fetch(path)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return [response.status, response.headers.get('content-type'), Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('')]
}
`,
    })
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      served.backend.forget()
      app = await served.openApp()
      panel = await served.openPanel(app)
      await panel.getByRole('switch', { name: 'GET /api/message', exact: true }).waitFor()
    })

    afterEach(async () => {
      expect(app.errors).toEqual([])
      expect(await served.project.read(handlersFile)).toBe(handlers)
    })

    const ask = (path: string): Promise<unknown[]> => app.page.evaluate(`ask('${path}')`)
    const button = (name: string): Locator => panel.getByRole('button', { name, exact: true })
    const editor = (): Locator => panel.getByRole('region', { name: 'Edit the response of GET /api/message' })
    const dialog = (): Locator => panel.getByRole('dialog', { name: 'Save as handler' })
    const diff = (): Promise<string | null> =>
      dialog()
        .getByRole('group', { name: `Changes in ${handlersFile}` })
        .textContent()

    /** Makes a request, and opens its details. */
    async function openRequest(path: string): Promise<void> {
      await ask(path)
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await panel
        .getByRole('option', { name: new RegExp(`${path} `) })
        .first()
        .click()
      await panel.getByRole('region', { name: 'Response' }).getByText(/B$/).waitFor()
    }

    test('a recorded image is saved as a handler that answers with the same bytes, and removed', async () => {
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await panel.getByRole('switch', { name: 'Record' }).click()
      await panel.getByText('Recording unmatched requests').waitFor()
      expect(await ask('/api/photo')).toEqual(image)
      await button('Review 1 response').click()
      const review = panel.getByRole('dialog', { name: 'Recorded responses' })
      await expect.poll(() => review.getByRole('checkbox', { name: /photo/ }).isChecked()).toBe(true)
      await review.getByRole('button', { name: 'Save as handler' }).click()
      const bytes = Buffer.from(backendImage).toString('base64')
      await expect
        .poll(diff)
        .toContain(
          `+  http.get('/api/photo', () => HttpResponse.arrayBuffer(Uint8Array.from(atob('${bytes}'), (char) => char.charCodeAt(0)), { headers: { 'Content-Type': 'image/png' } })),`,
        )
      await dialog().getByText('The body is binary. Secrets in it are not found.').waitFor()
      await dialog().getByRole('button', { name: 'Save', exact: true }).click()
      await button('Undo: remove GET /api/photo').waitFor()
      await expect.poll(() => ask('/api/photo')).toEqual(image)
      await panel.getByRole('tab', { name: 'Handlers' }).click()
      await panel.getByRole('switch', { name: 'GET /api/photo', exact: true }).waitFor()
      served.backend.forget()
      expect(await ask('/api/photo')).toEqual(image)
      expect(served.backend.requests).toEqual([])
      await button('Undo: remove GET /api/photo').click()
      await expect.poll(() => served.project.read(handlersFile)).toBe(handlers)
    })

    // What follows is code of the panel, which is the same with each build tool.
    if (extent === 'main') return

    test('status and headers of bytes are edited, and a file replaces the bytes, also after reloads', async () => {
      await openRequest('/api/message')
      await button('Edit response').click()
      await editor().getByText('4 B, not text. It stays as it is.').waitFor()
      await editor().getByRole('combobox', { name: 'Status' }).selectOption('201 Created')
      await editor().getByRole('button', { name: 'Apply' }).click()
      await expect.poll(() => ask('/api/message')).toEqual([201, ...message.slice(1)])

      await button('Edit response').click()
      await panel.getByLabel('File to use').setInputFiles({
        name: 'photo.png',
        mimeType: 'image/png',
        buffer: Buffer.from(backendImage),
      })
      await editor().getByText(`${backendImage.length} B of the file, not text.`).waitFor()
      expect(await findAccessibilityProblems(panel)).toEqual([])
      await editor().getByRole('button', { name: 'Apply' }).click()
      await expect.poll(() => ask('/api/message')).toEqual([201, ...image.slice(1)])
      await app.page.reload()
      await app.page.waitForFunction('window.ask')
      await expect.poll(() => ask('/api/message')).toEqual([201, ...image.slice(1)])
      await panel.reload()
      await button('Reset all').waitFor()
      await expect.poll(() => ask('/api/message')).toEqual([201, ...image.slice(1)])
      await button('Reset all').click()
      await expect.poll(() => ask('/api/message')).toEqual(message)
    })

    test('edited bytes replace the resolver, and so do those that were saved before', async () => {
      await openRequest('/api/message')
      await button('Edit response').click()
      for (const [status, name] of [
        ['404', '404 Not Found'],
        ['503', '503 Service Unavailable'],
      ] as const) {
        await editor().getByRole('combobox', { name: 'Status' }).selectOption(name)
        await editor().getByRole('button', { name: 'Save as handler' }).click()
        await dialog().getByText('The body is binary').waitFor()
        expect(await dialog().getByRole('combobox', { name: 'Change' }).inputValue()).toBe('replace')
        await dialog().getByRole('button', { name: 'Save', exact: true }).click()
        await expect.poll(() => ask('/api/message')).toEqual([Number(status), ...message.slice(1)])
      }
      await button('Undo: restore GET /api/message').click()
      await expect.poll(() => ask('/api/message')).toEqual([404, ...message.slice(1)])
      await button('Undo: restore GET /api/message').click()
      await expect.poll(() => ask('/api/message')).toEqual(message)
    })

    test('bytes that are too long for a file of code say what to do', async () => {
      await openRequest('/api/large')
      await button('Save as handler').click()
      await panel
        .getByRole('alert')
        .filter({ hasText: 'the body is too long.' })
        .filter({ hasText: 'US0831' })
        .waitFor()
      expect(await dialog().count()).toBe(0)
    })
  })
}
