import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, type Project } from './project.ts'
import type { BrowserDriver, TestBrowser, TestPage, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

/** The times for which the file is missing, in milliseconds. */
const pauses = Array.from({ length: 21 }, (_, step) => step * 20)

/** Tests a file that is deleted and created again, as editors and version control do. */
export function testHandlersRecreated(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, when the handlers file is deleted and created again`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let server: RunningServer
    let visit: TestVisit
    let page: TestPage
    let original: string

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        driver.launch(),
        createProject('test/fixtures/hot'),
      ])
      original = await project.read(handlersFile)
      await tool.configure(project, { api: backend.origin, plugin: { quiet: true } })
      server = await tool.start(project)
    })

    afterAll(async () => {
      await Promise.all([browser.close(), server.stop(), backend.close()])
      await project.dispose()
    })

    beforeEach(async ({ onTestFailed }) => {
      visit = await browser.openVisit()
      const { console: lines } = visit
      onTestFailed(() => {
        console.error([...visit.navigations, ...lines, server.process.output.slice(-2000)].join('\n'))
      })
      page = visit.page
      await page.goto(server.origin)
    })
    afterEach(() => visit.close())

    /** Returns the answer at a path, also while the page reloads. */
    const ask = (): Promise<string> =>
      page
        .evaluate<string>(
          `Promise.race([globalThis.ask('/api/handlers'), new Promise((end) => setTimeout(end, 500, 'held'))])`,
        )
        .catch(() => 'loading')

    test('the page is mocked again after any pause, and no request escapes', { timeout: 180_000 }, async () => {
      await expect.poll(ask).toMatch(/^handlers/)
      for (const [round, pause] of pauses.entries()) {
        const answer = `handlers ${round + 1}`
        await project.remove(handlersFile)
        await new Promise((resolve) => setTimeout(resolve, pause))
        // The file is written once and not saved again.
        await project.write(handlersFile, original.replace('handlers 0', answer))
        await expect.poll(ask, { message: `after ${pause} ms`, timeout: 10_000 }).toBe(answer)
      }
      expect(backend.requests).toEqual([])
      expect(await tool.readOverlay(page)).toBe(undefined)
    })
  })
}
