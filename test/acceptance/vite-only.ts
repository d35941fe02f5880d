/** Tests features that other build tools do not have: `import.meta.glob`, and a server that restarts itself. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, onTestFailed, onTestFinished, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startHoldingProxy } from './holding-proxy.ts'
import { savingUntil } from './project.ts'
import { serveProject } from './serve-project.ts'
import type { TestPage, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

/** The text of a module with one handler, whose path is the module's name. */
const part = (name: string, text: string): string =>
  `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('/api/${name}', () => HttpResponse.json({ text: '${text}' }))]
`

const collected = `const parts = import.meta.glob('./parts/*.js', { eager: true, import: 'handlers' })
export const handlers = Object.values(parts).flat()
`

/** Tests handlers of a glob, editors that write into the existing file, and edits of options while the server runs. */
export function testViteOnly(tool: BuildTool): void {
  describe(`${tool.name} in ${chromium.name}: features that other build tools do not have`, () => {
    let visit: TestVisit
    let page: TestPage

    const served = serveProject(tool, {
      launch: () => chromium.launch(),
      files: {
        [handlersFile]: collected,
        'src/mocks/parts/handlers.js': part('handlers', 'one'),
      },
      options: { plugin: { expose: true } },
    })

    beforeEach(async () => {
      visit = await served.browser.openVisit()
      page = visit.page
      onTestFailed(() => console.error([...visit.console, served.server.process.output].join('\n')))
      await page.goto(served.server.origin)
    })

    afterEach(async () => {
      await visit.close()
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    /** Returns the answer to a request of the page, or `held` if the request is held. */
    const ask = (path: string): Promise<string> =>
      page.evaluate(
        (url) => Promise.race([globalThis.ask(url), new Promise<string>((end) => setTimeout(end, 500, 'held'))]),
        path,
      )

    const countHandlers = (): Promise<number> => page.evaluate(() => understudy.worker.listHandlers().length)

    test('handlers of a glob are edited, added and removed without a reload of the page', async () => {
      await expect.poll(() => ask('/api/handlers')).toBe('one')
      await page.evaluate("globalThis.marker = 'this page'")

      const edited = part('handlers', 'two')
      await savingUntil(served.project, 'src/mocks/parts/handlers.js', edited, () => ask('/api/handlers')).toBe('two')
      await savingUntil(served.project, 'src/mocks/parts/more.js', part('more', 'new'), countHandlers).toBe(2)
      expect(await ask('/api/more')).toBe('new')
      await served.project.remove('src/mocks/parts/more.js')
      await expect.poll(countHandlers).toBe(1)
      expect(await page.evaluate('globalThis.marker')).toBe('this page')
    })

    test('an editor that empties a file before it writes the new text', async () => {
      await expect.poll(() => ask('/api/handlers')).not.toBe('held')
      await page.evaluate("globalThis.marker = 'this page'")
      // All other tests replace files.
      await writeFile(join(served.project.folder, 'src/mocks/parts/handlers.js'), part('handlers', 'written'))
      await expect.poll(() => ask('/api/handlers')).toBe('written')
      expect(await page.evaluate('globalThis.marker')).toBe('this page')
    })

    test('an error report that arrives after the fix is not shown', async () => {
      const proxy = await startHoldingProxy(served.server.port)
      onTestFinished(() => proxy.close())
      await page.goto(proxy.origin)
      await expect.poll(() => ask('/api/handlers')).not.toBe('held')
      const late = proxy.hold('message', /understudy:error/)
      await served.project.write('src/mocks/parts/handlers.js', "throw new Error('too late')")
      await late.first
      await served.project.write('src/mocks/parts/handlers.js', part('handlers', 'fixed'))
      await expect.poll(() => ask('/api/handlers')).toBe('fixed')
      await late.release()
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))')
      expect(await tool.readOverlay(page)).toBe(undefined)
    })

    /** Leaves the page, which would reload, for another one: Vite keeps a reload for the next page that connects if no page is connected. */
    async function openOther(): Promise<void> {
      await page.goto('about:blank')
      const other = await served.browser.openVisit()
      onTestFinished(() => other.close())
      await other.page.goto(served.server.origin)
      await expect.poll(() => other.console.join('\n')).toContain('[vite] connected')
    }

    /** Reads a module of the server, without the browser. */
    const read = async (path: string): Promise<string> => (await fetch(new URL(path, served.server.origin))).text()

    test('the handlers file is missing when a page loads, and created before the page is connected', async () => {
      await openOther()
      const proxy = await startHoldingProxy(served.server.port)
      onTestFinished(() => proxy.close())
      await served.project.remove(handlersFile)
      const bootstrap = '/@id/__x00__virtual:understudy/bootstrap'
      await expect.poll(() => read(bootstrap)).toContain('Failed to find the handlers')
      const connection = proxy.hold('connection', /./)
      await page.goto(proxy.origin)
      expect(await ask('/api/handlers')).toBe('held')
      await served.project.write(handlersFile, collected)
      // The dev server has seen the file, but the page was not connected.
      await expect.poll(() => read(bootstrap)).not.toContain('Failed to find the handlers')
      await connection.release()
      await expect.poll(() => ask('/api/handlers').catch(() => 'loading')).not.toMatch(/held|loading/)
    })

    test('the handlers file is missing when a page requests it, and created before the page is connected', async () => {
      await openOther()
      const proxy = await startHoldingProxy(served.server.port)
      onTestFinished(() => proxy.close())
      const connection = proxy.hold('connection', /./)
      const importer = proxy.hold('response', /virtual:understudy\/handlers/)
      const opened = page.goto(proxy.origin)
      await importer.first
      await served.project.remove(handlersFile)
      // The dev server has seen that it is missing.
      await expect.poll(() => read(handlersFile)).not.toContain('export const handlers')
      await importer.release()
      await opened
      await expect.poll(() => visit.console.join('\n')).toContain('US0312')
      await served.project.write(handlersFile, collected)
      await expect.poll(() => read(handlersFile)).toContain('export const handlers')
      await connection.release()
      await expect.poll(() => ask('/api/handlers').catch(() => 'loading')).not.toMatch(/held|loading/)
    })

    test('an option is misspelled while the server runs, and then fixed: the page updates automatically', async () => {
      await expect.poll(() => ask('/api/handlers')).not.toBe('held')
      const config = await served.project.read('vite.config.js')
      await served.project.write('vite.config.js', config.replace('"expose"', '"exposed"'))
      await expect.poll(() => tool.readOverlay(page)).toContain('there is no option "exposed". Did you mean "expose"?')
      // The page reloads when the server has restarted.
      await expect.poll(() => ask('/api/handlers')).toBe('held')

      await served.project.write('vite.config.js', config)
      await expect.poll(() => ask('/api/handlers')).not.toBe('held')
      expect(await tool.readOverlay(page)).toBe(undefined)
    })
  })
}
