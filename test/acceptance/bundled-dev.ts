import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { allMocked, readAnswers } from './first-line.ts'
import { row } from './panel-parts.ts'
import { createProject, savingUntil, type Project } from './project.ts'
import type { BrowserDriver, TestBrowser, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

/** Tests Vite 8's experimental bundling in development. docs/vite.md lists its limits. */
export function testBundledDev(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}`, () => {
    let backend: CountingBackend
    let browser: TestBrowser

    beforeAll(async () => {
      ;[backend, browser] = await Promise.all([startBackend(), driver.launch()])
    })

    afterAll(() => Promise.all([browser.close(), backend.close()]))

    afterEach(() => {
      const escaped = [...backend.requests]
      backend.forget()
      expect(escaped).toEqual([])
    })

    /** Starts the dev server, and opens a page in a new profile. */
    async function start(project: Project): Promise<{ server: RunningServer; visit: TestVisit }> {
      onTestFinished(() => project.dispose())
      await tool.configure(project, { api: backend.origin, plugin: { expose: true } })
      const server = await tool.start(project)
      onTestFinished(() => server.stop())
      const visit = await browser.openVisit()
      onTestFinished(() => visit.close())
      return { server, visit }
    }

    test('no request escapes before the first line of the app', async () => {
      const project = await createProject('test/fixtures/first-line')
      const { server, visit } = await start(project)
      await visit.page.goto(server.origin)
      expect(await readAnswers(visit.page)).toEqual(allMocked)
      expect(visit.errors).toEqual([])
    })

    test('edits of handlers, and of modules that they import, apply without a reload', async () => {
      const project = await createProject('test/fixtures/hot')
      const { server, visit } = await start(project)
      const { page } = visit
      await page.goto(server.origin)
      const ask = (path: string): Promise<string> =>
        page.evaluate(
          (url) => Promise.race([globalThis.ask(url), new Promise<string>((end) => setTimeout(end, 500, 'held'))]),
          path,
        )
      // While Vite bundles for the first time, it shows another page, which reloads itself.
      await page.waitForFunction('globalThis.ask')
      await expect.poll(() => ask('/api/handlers')).toBe('handlers 0')
      await page.evaluate("globalThis.marker = 'this page'")

      for (const [file, word] of [
        ['src/mocks/handlers.js', 'handlers'],
        ['src/mocks/fixture.json', 'fixture'],
        ['src/mocks/word.js', 'greeting'],
      ] as const) {
        const text = await project.read(file)
        await savingUntil(project, file, text.replace('0', '1'), () => ask(`/api/${word}`)).toBe(`${word} 1`)
      }
      expect(await page.evaluate('globalThis.marker')).toBe('this page')
      expect(visit.errors).toEqual([])
    })

    test('the panel names the lines of the sources, also after an edit', async () => {
      const project = await createProject('test/fixtures/hot')
      const { server, visit } = await start(project)
      await visit.page.goto(server.origin)
      await visit.page.waitForFunction('globalThis.ask')
      const panel = await visit.profile.openPage()
      await panel.page.goto(`${server.origin}/__understudy/`)
      const text = await project.read(handlersFile)
      const lineOf = (source: string): number =>
        source.split('\n').findIndex((line) => line.includes("'/api/handlers'")) + 1
      const readRow = (): Promise<string> => panel.page.evaluate(`${row('GET /api/handlers')}?.textContent`)
      await expect.poll(readRow).toContain(`mocks/handlers.js:${lineOf(text)}`)
      // Without other code, there is no update.
      const edited = `// A line.\n\n${text.replace('handlers 0', 'handlers 1')}`
      await savingUntil(project, handlersFile, edited, readRow).toContain(`mocks/handlers.js:${lineOf(edited)}`)
    })

    // The limits that docs/vite.md lists. If a test fails because a limit is gone, remove it from that page too.

    test('a handlers file that throws at first load: no request escapes, the console says why, and the fix needs a reload', async () => {
      const project = await createProject('test/fixtures/hot')
      const original = await project.read(handlersFile)
      await project.write(handlersFile, `nowhere()\n${original}`)
      const { server, visit } = await start(project)
      await visit.page.goto(server.origin)
      await expect.poll(() => visit.errors.join()).toContain('nowhere is not defined')
      const ask = (): Promise<string> =>
        visit.page.evaluate(async () => {
          const answer = fetch('/api/handlers').then(
            async (response) => ((await response.json()) as { text: string }).text,
          )
          return Promise.race([answer, new Promise<string>((end) => setTimeout(end, 500, 'held'))])
        })
      expect(await ask()).toBe('held')
      expect(await tool.readOverlay(visit.page)).toBe(undefined)

      await savingUntil(project, handlersFile, original, async () => {
        await visit.page.reload()
        // While Vite bundles, it shows another page, which plugins do not see.
        return (await visit.page.evaluate("'ask' in globalThis")) ? ask() : 'bundling'
      }).toBe('handlers 0')
    })

    test('a new file of a glob is added when the module with the glob is saved', async () => {
      const part = (name: string): string =>
        `import { http, HttpResponse } from '@understudy/engine'\n` +
        `export const handlers = [http.get('/api/${name}', () => HttpResponse.json({ text: '${name}' }))]\n`
      const project = await createProject('test/fixtures/hot', {
        [handlersFile]:
          "const parts = import.meta.glob('./parts/*.js', { eager: true, import: 'handlers' })\n" +
          'export const handlers = Object.values(parts).flat()\n',
        'src/mocks/parts/handlers.js': part('handlers'),
      })
      const { server, visit } = await start(project)
      const { page } = visit
      await page.goto(server.origin)
      const countHandlers = (): Promise<number> => page.evaluate(() => understudy.worker.listHandlers().length)
      await page.waitForFunction('globalThis.understudy')
      await expect.poll(countHandlers).toBe(1)
      await project.write('src/mocks/parts/more.js', part('more'))
      await savingUntil(project, handlersFile, `${await project.read(handlersFile)}// Saved.\n`, countHandlers).toBe(2)
      expect(await page.evaluate(() => globalThis.ask('/api/more'))).toBe('more')
    })
  })
}
