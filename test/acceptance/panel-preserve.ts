import type { Locator, Page } from 'playwright'
import { beforeEach, describe, expect, test } from 'vitest'

import { findAccessibilityProblems } from './accessibility.ts'
import type { Visit } from './browser.ts'
import type { BuildTool } from './build-tool.ts'
import { serveApp } from './serve-app.ts'

const handlers = `import { http, HttpResponse, ws } from '@understudy/engine'

const chat = ws.link('wss://chat.test/room')

export const handlers = [
  http.post('/api/first', () => HttpResponse.json({ from: 'the first page' }, { headers: { 'x-kept': 'yes' } })),
  http.get('/api/second', () => HttpResponse.json({})),
  http.get('/api/hang', () => new Promise(() => {})),
  chat.addEventListener('connection', ({ client }) => {
    client.addEventListener('message', ({ data }) => client.send(\`echo \${data}\`))
  }),
]
`

const main = `window.ask = async (path, init) => (await fetch(path, init)).text()
window.chat = () => new Promise((resolve) => {
  const socket = new WebSocket('wss://chat.test/room')
  socket.onopen = () => socket.send('hi')
  socket.onmessage = ({ data }) => resolve(data)
})
`

/** Tests that the panel's log survives reloads and navigations of the app. */
export function testPanelPreserve(tool: BuildTool): void {
  describe(`${tool.name}, the preserved log of the panel`, () => {
    const served = serveApp(
      tool,
      { 'src/mocks/handlers.js': handlers, 'src/main.js': main },
      { plugin: { panel: { dock: true } } },
    )
    let app: Visit
    let panel: Page

    beforeEach(async () => {
      app = await served.openApp()
      panel = await served.openPanel(app)
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await app.page.evaluate(`ask('/api/first', { method: 'POST', body: 'a question' })`)
      await option(/\/api\/first/).waitFor()
    })

    async function reload(): Promise<void> {
      await app.page.reload()
      await app.page.waitForFunction('window.ask')
    }

    const list = (): Locator => panel.getByRole('listbox', { name: 'Requests' })
    const option = (name: RegExp): Locator => list().getByRole('option', { name })
    const divider = (name: RegExp | string = /^Page reloaded at \d\d:\d\d:\d\d$/): Locator =>
      list().getByRole('option', { name, disabled: true })
    const orderOf = async (...names: readonly RegExp[]): Promise<readonly number[]> => {
      const texts = await list().getByRole('option').allTextContents()
      return names.map((name) => texts.findIndex((text) => name.test(text)))
    }

    test('requests, bodies and connections of the earlier page are below a divider after a reload', async () => {
      await app.page.evaluate('chat()')
      await option(/chat\.test/).waitFor()
      await app.page.evaluate(`void fetch('/api/hang')`)
      await option(/\/api\/hang/).waitFor()
      await reload()
      await divider().waitFor()
      await app.page.evaluate(`ask('/api/second')`)
      await option(/\/api\/second/).waitFor()
      const order = await orderOf(/api\/second/, /Page reloaded/, /api\/hang/, /chat\.test/, /api\/first/)
      expect(order.toSorted((a, b) => a - b)).toEqual(order)
      expect(order).not.toContain(-1)

      await option(/\/api\/first/).click()
      const detail = panel.getByRole('region', { name: /^POST .*\/api\/first$/ })
      await detail.getByText('"the first page"').waitFor()
      await detail.getByText('a question').waitFor()
      await option(/\/api\/hang/).click()
      await panel.getByText('The page was left while the request was pending.').waitFor()
      await option(/chat\.test/).click()
      await panel.getByText('echo hi').waitFor()

      expect(await findAccessibilityProblems(panel)).toEqual([])
    })

    test('a panel in the page’s dock shows the requests before the reload', async () => {
      await panel.close()
      await app.page.getByRole('button', { name: 'Understudy', exact: true }).click()
      const frame = app.page.frameLocator('iframe[title="Understudy panel"]')
      await frame.getByRole('tab', { name: 'Requests' }).click()
      await frame.getByRole('option', { name: /\/api\/first/ }).waitFor()
      await reload()
      await frame.getByRole('tab', { name: 'Requests' }).click()
      await frame.getByRole('option', { name: /^Page reloaded at/ }).waitFor()
      await frame.getByRole('option', { name: /\/api\/first/ }).waitFor()
    })

    test('if the app leaves little space in the storage, the rows are kept without their bodies', async () => {
      await app.page.evaluate(`ask('/api/first', { method: 'POST', body: 'x'.repeat(100_000) })`)
      await app.page.evaluate(() => {
        let count = 0
        for (const size of [100_000, 1000]) {
          try {
            for (;;) {
              sessionStorage.setItem(`app-${count}`, 'x'.repeat(size))
              count += 1
            }
          } catch {
            // The storage is full.
          }
        }
        // Leave space for 10,000 characters.
        for (let freed = 0; freed < 10; freed += 1) {
          count -= 1
          sessionStorage.removeItem(`app-${count}`)
        }
      })
      await reload()
      await divider().waitFor()
      await expect.poll(() => option(/\/api\/first/).count()).toBe(2)
      expect(app.errors).toEqual([])
    })

    test('a page that may not use the storage is shown, and its log starts empty after a reload', async () => {
      await app.page.addInitScript(() => {
        for (const name of ['sessionStorage', 'localStorage']) {
          Object.defineProperty(globalThis, name, {
            get() {
              throw new DOMException('The browser blocks storage.', 'SecurityError')
            },
          })
        }
      })
      await reload()
      await app.page.evaluate(`ask('/api/second')`)
      await option(/\/api\/second/).waitFor()
      await reload()
      await app.page.evaluate(`ask('/api/first', { method: 'POST' })`)
      await option(/\/api\/first/).waitFor()
      expect(await list().getByRole('option').count()).toBe(1)
      expect(app.errors).toEqual([])
    })

    test('the keyboard skips the divider', async () => {
      await reload()
      await divider().waitFor()
      await app.page.evaluate(`ask('/api/second')`)
      await option(/\/api\/second/).click()
      await panel.keyboard.press('End')
      await expect.poll(() => option(/\/api\/first/).getAttribute('aria-selected')).toBe('true')
      await panel.keyboard.press('ArrowUp')
      const selected = list().getByRole('option', { selected: true })
      await expect.poll(() => selected.getAttribute('aria-disabled')).toBe(null)
      expect(await selected.textContent()).not.toContain('/api/first')
    })

    test('a navigation and a page that redirects keep the log', async () => {
      await app.page.evaluate(`location.href = '/?step=2'`)
      await app.page.waitForURL(/step=2/)
      await app.page.waitForFunction('window.ask')
      await divider(/^Navigated to \/\?step=2 at /).waitFor()
      // Two navigations at once: the panel may not have connected to the page between them.
      await app.page.evaluate(`location.href = '/?step=3'`)
      await app.page.waitForURL(/step=3/)
      await app.page.evaluate(`location.href = '/?step=4'`)
      await app.page.waitForURL(/step=4/)
      await app.page.waitForFunction('window.ask')
      await divider(/^Navigated to \/\?step=4 at /).waitFor()
      await option(/\/api\/first/).waitFor()
    })

    test('the log survives a reload of the panel', async () => {
      await reload()
      await divider().waitFor()
      await panel.reload()
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await divider().waitFor()
      await option(/\/api\/first/).waitFor()
    })

    test('the log starts again after a reload if "Preserve log" is off', async () => {
      const preserve = panel.getByRole('switch', { name: 'Preserve log' })
      expect(await preserve.getAttribute('aria-checked')).toBe('true')
      await preserve.click()
      await expect.poll(() => preserve.getAttribute('aria-checked')).toBe('false')
      await reload()
      await app.page.evaluate(`ask('/api/second')`)
      await option(/\/api\/second/).waitFor()
      expect(await option(/\/api\/first/).count()).toBe(0)
      expect(await divider().count()).toBe(0)
      expect(await preserve.getAttribute('aria-checked')).toBe('false')
    })

    test('cleared requests do not appear again', async () => {
      await reload()
      await divider().waitFor()
      await panel.getByRole('button', { name: 'Clear the list of requests' }).click()
      await divider().waitFor({ state: 'detached' })
      await reload()
      await app.page.evaluate(`ask('/api/second')`)
      await option(/\/api\/second/).waitFor()
      expect(await option(/\/api\/first/).count()).toBe(0)
    })

    test('another tab has its own log, and the panel distinguishes tabs with the same title', async () => {
      await reload()
      await divider().waitFor()
      const [other] = await Promise.all([
        app.context.waitForEvent('page'),
        app.page.evaluate(`void window.open('/?tab=2')`),
      ])
      await other.waitForFunction('window.ask')
      const chooser = panel.getByRole('combobox', { name: 'Page of the app' })
      await chooser.waitFor()
      await other.evaluate(`document.title = 'Cart'; ask('/api/second')`)
      await expect.poll(() => chooser.locator('option').allTextContents()).toContainEqual('Cart (/?tab=2)')
      await option(/\/api\/second/).waitFor()
      // The browser copies the storage of a tab to a tab that it opens.
      expect(await option(/\/api\/first/).count()).toBe(0)
      await chooser.selectOption({ index: 0 })
      await option(/\/api\/first/).waitFor()
    })
  })
}
