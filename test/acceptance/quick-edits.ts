import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startHoldingProxy, type HoldingProxy } from './holding-proxy.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

/** Tests handlers that are saved while a page loads, or twice in a row: the page gets the new ones without a reload. */
export function testQuickEdits(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, handlers are saved at an unusual moment`, () => {
    let proxy: HoldingProxy
    let original: string
    let visit: TestVisit
    let edits = 0

    const served = serveProject(tool, { launch: () => driver.launch() })
    beforeAll(async () => {
      original = await served.project.read(handlersFile)
      proxy = await startHoldingProxy(served.server.port)
    })
    afterAll(() => proxy?.close())
    beforeEach(async () => {
      visit = await served.browser.openVisit()
      onTestFailed(() => console.error(visit.console.join('\n')))
    })
    afterEach(async () => {
      expect(visit.navigations).toHaveLength(1)
      await visit.close()
      expect(served.backend.requests).toEqual([])
    })

    const ask = (): Promise<string> => visit.page.evaluate<string>(`globalThis.ask('/api/handlers')`)

    /** Saves the handlers with a new answer, and returns it. */
    async function save(): Promise<string> {
      const answer = `handlers ${(edits += 1)}`
      await served.project.write(handlersFile, original.replace('handlers 0', answer))
      return answer
    }

    /** Does the same, and waits until the page has received the update. */
    async function saveAndUpdate(): Promise<string> {
      const update = proxy.hold('message', /"type":"update"/)
      const answer = await save()
      await update.first
      await update.release()
      return answer
    }

    test('while the handlers load', async () => {
      const loading = proxy.hold('response', /^\/src\/mocks\/handlers\.js$/)
      const opened = visit.page.goto(proxy.origin)
      await loading.first
      const answer = await saveAndUpdate()
      await loading.release()
      await opened
      await expect.poll(ask).toBe(answer)
    })

    test('before the page is connected to the dev server', async () => {
      const connection = proxy.hold('connection', /./)
      await visit.page.goto(proxy.origin)
      await expect.poll(ask).toBe(`handlers ${edits}`)
      const answer = await save()
      // The dev server has seen the edit, but no client was connected.
      await expect
        .poll(() => fetch(new URL(handlersFile, served.server.origin)).then((it) => it.text()))
        .toContain(answer)
      await connection.release()
      await expect.poll(ask).toBe(answer)
    })

    test('twice, like an editor and its formatter', async () => {
      await visit.page.goto(proxy.origin)
      await expect.poll(ask).toBe(`handlers ${edits}`)
      for (let round = 0; round < 5; round += 1) {
        await saveAndUpdate()
        // Within 50 ms, Vite's watcher does not report a second change of a file.
        const answer = await save()
        await expect.poll(ask).toBe(answer)
      }
    })
  })
}
