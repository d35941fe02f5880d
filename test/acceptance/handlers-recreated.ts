import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { BuildTool, Extent } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestPage, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

/** Returns the times for which the file is missing, in milliseconds. */
const listPauses = (extent: Extent): number[] =>
  extent === 'all' ? Array.from({ length: 21 }, (_, step) => step * 20) : [0, 60, 120, 180, 240, 300, 360]

/** Tests a file that is deleted and created again, as editors and version control do. */
export function testHandlersRecreated(tool: BuildTool, driver: BrowserDriver = chromium, extent: Extent = 'all'): void {
  describe(`${tool.name} in ${driver.name}, when the handlers file is deleted and created again`, () => {
    let visit: TestVisit
    let page: TestPage
    let original: string

    const served = serveProject(tool, {
      launch: () => driver.launch(),
      options: { plugin: { quiet: true } },
      async prepare(project) {
        original = await project.read(handlersFile)
      },
    })

    beforeEach(async ({ onTestFailed }) => {
      visit = await served.browser.openVisit()
      const { console: lines } = visit
      onTestFailed(() => {
        console.error([...visit.navigations, ...lines, served.server.process.output.slice(-2000)].join('\n'))
      })
      page = visit.page
      await page.goto(served.server.origin)
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
      for (const [round, pause] of listPauses(extent).entries()) {
        const answer = `handlers ${round + 1}`
        await served.project.remove(handlersFile)
        await new Promise((resolve) => setTimeout(resolve, pause))
        // The file is written once and not saved again.
        await served.project.write(handlersFile, original.replace('handlers 0', answer))
        await expect.poll(ask, { message: `after ${pause} ms`, timeout: 10_000 }).toBe(answer)
      }
      expect(served.backend.requests).toEqual([])
      expect(await tool.readOverlay(page)).toBe(undefined)
    })
  })
}
