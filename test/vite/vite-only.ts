/** Tests features that other build tools do not have: `import.meta.glob`, and a server that restarts itself. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import type { BuildTool } from '../acceptance/build-tool.ts'
import { savingUntil } from '../acceptance/project.ts'
import { serveProject } from '../acceptance/serve-project.ts'

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
  describe(`${tool.name}: features that other build tools do not have`, () => {
    let visit: Visit
    let page: Page

    const served = serveProject(tool, {
      launch: launchBrowser,
      files: {
        [handlersFile]: collected,
        'src/mocks/parts/handlers.js': part('handlers', 'one'),
      },
      options: { plugin: { expose: true } },
    })

    beforeEach(async ({ onTestFailed }) => {
      visit = await openVisit(served.browser)
      page = visit.page
      const { console: lines } = visit
      onTestFailed(() => console.error([...lines, served.server.process.output].join('\n')))
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
      const late: (() => void)[] = []
      await page.routeWebSocket('**', (socket) => {
        socket.connectToServer().onMessage((message) => {
          if (message.includes('understudy:error')) late.push(() => socket.send(message))
          else socket.send(message)
        })
      })
      await page.reload()
      await expect.poll(() => ask('/api/handlers')).not.toBe('held')
      await served.project.write('src/mocks/parts/handlers.js', "throw new Error('too late')")
      await expect.poll(() => late.length).toBe(1)
      await served.project.write('src/mocks/parts/handlers.js', part('handlers', 'fixed'))
      await expect.poll(() => ask('/api/handlers')).toBe('fixed')
      for (const send of late) send()
      await page.waitForTimeout(200)
      expect(await tool.readOverlay(page)).toBe(undefined)
    })

    test('an option is misspelled while the server runs, and then fixed: the page updates automatically', async () => {
      await expect.poll(() => ask('/api/handlers')).not.toBe('held')
      const config = await served.project.read('vite.config.js')
      await served.project.write('vite.config.js', config.replace('"expose"', '"exposed"'))
      await expect.poll(() => tool.readOverlay(page)).toContain('there is no option "exposed". Did you mean "expose"?')
      expect(await ask('/api/handlers')).toBe('held')

      await served.project.write('vite.config.js', config)
      await expect.poll(() => ask('/api/handlers')).not.toBe('held')
      expect(await tool.readOverlay(page)).toBe(undefined)
    })
  })
}
