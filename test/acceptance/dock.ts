import type { FrameLocator, Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'

import type { Visit } from './browser.ts'
import type { BuildTool, Extent } from './build-tool.ts'
import { readBuild } from './read-build.ts'
import { serveApp } from './serve-app.ts'

const handlers = `import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ name: 'Ada' })),
  http.get('/api/broken', () => { throw new Error('no seats') }),
  http.all('/__understudy/*', () => HttpResponse.json({ from: 'the mock' })),
]
`

/** The files of an app for the tests of the dock. */
export const dockFiles: Record<string, string> = {
  'src/mocks/handlers.js': handlers,
  'src/main.js': 'window.ask = async (path) => (await fetch(path)).status\n',
}

export const ask = (page: Page, path: string): Promise<number> => page.evaluate(`ask(${JSON.stringify(path)})`)
export const toggle = (page: Page): Locator => page.getByRole('button', { name: 'Understudy', exact: true })
export const dock = (page: Page): Locator => page.getByRole('region', { name: 'Understudy' })
export const panel = (page: Page): FrameLocator => page.frameLocator('iframe[title="Understudy panel"]')
export const share = async (page: Page, side: 'height' | 'width'): Promise<number> => {
  const [box, size] = [await dock(page).boundingBox(), page.viewportSize()]
  return Math.round(((box?.[side] ?? 0) / (size?.[side] ?? 1)) * 100)
}

/** Tests the dock: the button in the app's page, and the panel that it opens. */
export function testDock(tool: BuildTool, extent: Extent = 'all'): void {
  describe(`${tool.name}, the dock`, () => {
    const served = serveApp(tool, dockFiles, { plugin: { panel: { dock: true } } })
    let visit: Visit

    async function open(): Promise<Page> {
      visit = await served.openApp()
      return visit.page
    }

    test('the button counts unhandled requests and errors, and opens the panel of this page', async () => {
      const page = await open()
      const children = await page.evaluate(() => document.body.childElementCount)
      await toggle(page).waitFor()
      expect(await toggle(page).getAttribute('aria-description')).toBe('')
      // The panel itself is loaded when it is opened.
      expect(await page.locator('iframe').count()).toBe(0)
      expect(
        await page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .map(({ name }) => new URL(name).pathname)
            .filter((path) => /^\/__understudy\/.*\.js$/.test(path)),
        ),
      ).toEqual(['/__understudy/dock.js'])
      await ask(page, '/api/user')
      await ask(page, '/api/usr')
      await ask(page, '/api/broken')
      await expect.poll(() => toggle(page).getAttribute('aria-description')).toBe('1 unhandled request, 1 error')
      expect(await page.locator('understudy-dock .badge').textContent()).toBe('2')
      await toggle(page).click()
      await panel(page).getByRole('tab', { name: 'Requests' }).click()
      await panel(page)
        .getByRole('option', { name: /\/api\/usr/ })
        .waitFor()
      // The panel's own requests are neither mocked nor logged.
      expect(
        await panel(page)
          .getByRole('option', { name: /__understudy/ })
          .allTextContents(),
      ).toEqual([])
      await panel(page).getByRole('tab', { name: 'Handlers' }).click()
      await panel(page).getByText('handlers.js:4').first().waitFor()
      expect(await page.evaluate(() => document.body.childElementCount)).toBe(children)
      expect(visit.errors).toEqual([])
    })

    test('a build contains none of it', async () => {
      const { code, output } = await tool.build(served.project)
      expect(code, output).toBe(0)
      const text = await readBuild(served.project)
      expect(text).not.toBe('')
      expect(text).not.toMatch(/understudy|dock\.js/i)
    })

    // What follows is code of the panel and its dock, which is the same with each build tool.
    if (extent === 'main') return

    test('the panel does not show another open page', async () => {
      const page = await open()
      await toggle(page).click()
      await panel(page).getByRole('tab', { name: 'Requests' }).click()
      const other = await page.context().newPage()
      await other.goto(`${served.server.origin}?other`)
      await other.waitForFunction('window.ask')
      await ask(other, '/api/user?of-the-other')
      await ask(page, '/api/user?of-this')
      await panel(page)
        .getByRole('option', { name: /of-this/ })
        .waitFor()
      expect(
        await panel(page)
          .getByRole('option', { name: /of-the-other/ })
          .count(),
      ).toBe(0)
    })

    test('the shortcut opens and closes it, from within the panel too', async () => {
      const page = await open()
      await toggle(page).waitFor()
      await page.keyboard.press('Alt+Shift+KeyU')
      await panel(page).getByRole('tab', { name: 'Handlers' }).focus()
      await page.keyboard.press('Alt+Shift+KeyU')
      await toggle(page).waitFor()
      expect(await dock(page).isHidden()).toBe(true)
      expect(await toggle(page).evaluate((element) => element.matches(':focus'))).toBe(true)
    })

    test('the position, size and settings of the panel survive a reload', async () => {
      const page = await open()
      await toggle(page).click()
      await page.getByRole('button', { name: 'Dock to the right' }).click()
      const before = await share(page, 'width')
      await page.getByRole('separator', { name: 'Panel size' }).press('ArrowLeft')
      await expect.poll(() => share(page, 'width')).toBe(before + 5)
      await panel(page).getByRole('switch', { name: 'GET /api/user' }).click()
      await panel(page).getByText('1 handler overridden').waitFor()
      await page.reload()
      await panel(page).getByText('1 handler overridden').waitFor()
      expect(await share(page, 'width')).toBe(before + 5)
      await page.getByRole('button', { name: 'Close Understudy' }).click()
      await page.reload()
      await toggle(page).waitFor()
      expect(await dock(page).isHidden()).toBe(true)
    })

    test('it stays with its settings when the app replaces the content of the document', async () => {
      const page = await open()
      await toggle(page).click()
      await panel(page).getByRole('switch', { name: 'GET /api/user' }).click()
      await panel(page).getByText('1 handler overridden').waitFor()
      await page.evaluate(() => {
        document.documentElement.innerHTML = '<head></head><body><h1>Another page</h1></body>'
      })
      await panel(page).getByText('1 handler overridden').waitFor()
      await page.evaluate(() => document.documentElement.replaceWith(document.createElement('html')))
      await panel(page).getByText('1 handler overridden').waitFor()
      // This also removes the listeners of all elements and of the window.
      await page.evaluate(
        `document.open(); document.write('<!doctype html><title>Written</title><h1>Another page</h1>'); document.close()`,
      )
      await expect.poll(() => page.locator('understudy-dock').count()).toBe(1)
      await panel(page).getByText('1 handler overridden').waitFor()
      await page.getByRole('button', { name: 'Close Understudy' }).click()
      await toggle(page).waitFor()
      await page.keyboard.press('Alt+Shift+KeyU')
      await dock(page).waitFor()
      expect(await page.locator('understudy-dock').count()).toBe(1)
    })

    test('a recording goes on in a closed dock, and its button shows that', async () => {
      const page = await open()
      await toggle(page).click()
      await panel(page).getByRole('tab', { name: 'Requests' }).click()
      await panel(page).getByRole('combobox', { name: 'What to record' }).selectOption('all requests')
      await panel(page).getByRole('switch', { name: 'Record' }).click()
      await panel(page).getByText('Recording all requests').waitFor()
      await page.getByRole('button', { name: 'Close Understudy' }).click()
      await expect.poll(() => toggle(page).getAttribute('aria-description')).toBe('recording')
      const dot = (): Promise<string> => toggle(page).evaluate((each) => getComputedStyle(each, '::after').content)
      expect(await dot()).toBe('""')
      served.backend.forget()
      await ask(page, '/api/user')
      expect(served.backend.requests).toEqual(['GET /api/user'])
      await toggle(page).click()
      await panel(page).getByRole('switch', { name: 'Record' }).click()
      await panel(page).getByText('Recording all requests').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Close Understudy' }).click()
      await expect.poll(() => toggle(page).getAttribute('aria-description')).toBe('')
      expect(await dot()).toBe('none')
      expect(await ask(page, '/api/user')).toBe(200)
      expect(served.backend.requests).toEqual(['GET /api/user'])
    })
  })
}
