import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'

import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, savingUntil, type Project } from './project.ts'
import { findPort, runTool, type ToolProcess } from './run-tool.ts'
import type { BrowserDriver, TestBrowser, TestVisit } from './test-browser.ts'

/** A server of the fixture `ssr`, which renders with Vite as middleware. Each test has its own project. */
export interface RenderingServer {
  readonly backend: CountingBackend
  readonly project: Project
  readonly process: ToolProcess
  readonly origin: string
  /** @param vite the alias of a version in package.json */
  start(vite?: string): Promise<void>
  /** Returns the text of a document, or of another response of the server. */
  get(path: string): Promise<string>
}

/** Prepares the fixture for each test of a file or of a `describe`. */
export function serveRendering(): RenderingServer {
  const served = {} as { -readonly [Name in keyof RenderingServer]: RenderingServer[Name] }

  beforeAll(async () => {
    served.backend = await startBackend()
  })
  afterAll(() => served.backend.close())
  beforeEach(async () => {
    served.project = await createProject('test/fixtures/ssr')
  })
  afterEach(async () => {
    await served.process.stop()
    await served.project.dispose()
    served.backend.forget()
  })

  return Object.assign(served, {
    async start(vite = 'vite'): Promise<void> {
      const port = await findPort()
      const env = { VITE: vite, API_ORIGIN: served.backend.origin }
      served.process = runTool('server.js', [String(port)], { folder: served.project.folder, env })
      await served.process.untilSaid(/Local: http/)
      served.origin = `http://localhost:${port}`
    },
    async get(path: string): Promise<string> {
      const response = await fetch(served.origin + path, { headers: { 'Sec-Fetch-Dest': 'document' } })
      return response.text()
    },
  })
}

/** Tests pages that a server renders: the same handlers answer its requests and the page's. */
export function testRenderedPages(versions: readonly string[], driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, pages that a server renders`, () => {
    const served = serveRendering()
    let browser: TestBrowser
    let visit: TestVisit

    beforeAll(async () => {
      browser = await driver.launch()
    })
    afterAll(() => browser.close())

    /** Starts the server, opens its page, and waits until the page has the answer to its own request. */
    async function open(vite: string): Promise<void> {
      await served.start(vite)
      visit = await browser.openVisit()
      onTestFailed(() => console.error(visit.console.join('\n')))
      await visit.page.goto(served.origin)
      await expect.poll(() => visit.page.evaluate(`document.querySelector('#client').textContent`)).toBe('title 0')
    }
    afterEach(async () => {
      await visit.close()
      expect(visit.navigations).toHaveLength(1)
      expect(served.backend.requests).toEqual([])
    })

    test.for(versions)('%s: the same handlers answer server and page, and React hydrates', async (vite) => {
      await open(vite)
      expect(
        await visit.page.evaluate(`['h1', '#seats'].map((each) => document.querySelector(each).textContent)`),
      ).toEqual(['title 0', 'seats 0'])
      expect(visit.errors).toEqual([])
      expect(visit.console.filter((line) => /^(error|warning)/.test(line))).toEqual([])
    })

    // The edits of `test/firefox/hot-swap.test.ts` reach the page in the same way.
    if (driver !== chromium) return

    test.for(versions)('%s: an edit applies to the next request of server and page', async (vite) => {
      await open(vite)
      for (const word of ['1', '2']) {
        const text = `export const word = '${word}'\n`
        await savingUntil(served.project, 'src/mocks/word.js', text, () => served.get('/early')).toContain(
          `title ${word}`,
        )
        expect(JSON.parse(await served.get('/early'))).toEqual({ title: `title ${word}`, seats: `seats ${word}` })
        await expect
          .poll(() => visit.page.evaluate(`fetch('/api/title').then((response) => response.text())`))
          .toContain(`title ${word}`)
      }
    })
  })
}
