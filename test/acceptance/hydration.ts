import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { createProject, type Project } from './project.ts'
import { findPort, runTool, type ToolProcess } from './run-tool.ts'
import { waitUntil, type BrowserDriver, type TestBrowser, type TestPage } from './test-browser.ts'

/** A client that hydrates when the test says so. */
const hydratingLater = `import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Document } from './document.js'
window.recovered = []
window.hydrate = () =>
  hydrateRoot(document, createElement(Document), { onRecoverableError: (error) => window.recovered.push(error.message) })
`

/**
 * Tests an app whose server renders the whole document, so that React compares every element with its own.
 *
 * @param tool Vite that has optimized React before the first page. Otherwise, it reloads that page
 */
export function testHydration(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, hydration of a document`, () => {
    let browser: TestBrowser
    let project: Project
    let server: ToolProcess
    beforeAll(async () => {
      browser = await driver.launch()
    })
    afterAll(() => browser.close())

    /** Starts the server of the fixture. Returns its address. */
    async function start(plugin: Record<string, unknown>, files: Record<string, string> = {}): Promise<string> {
      const port = await findPort()
      project = await createProject('test/fixtures/hydration', files)
      await tool.configure(project, { plugin })
      const { folder } = project
      server = runTool(join(folder, 'server.js'), [], { folder, env: { PORT: String(port) } })
      await server.untilSaid(/listening/)
      return `http://localhost:${port}/`
    }
    async function stop(): Promise<void> {
      await server.stop()
      await project.dispose()
    }

    const waitForName = (page: TestPage): Promise<void> =>
      waitUntil(page, `document.querySelector('h1')?.textContent === 'Ada'`)

    test('React hydrates a whole document without a warning, and is mocked', async () => {
      const address = await start({})
      const visit = await browser.openVisit()
      await visit.page.goto(address)
      await waitForName(visit.page)
      expect(await visit.page.evaluate('recovered')).toEqual([])
      expect(visit.errors).toEqual([])
      expect(visit.console.filter((line) => /^(error|warning)/.test(line))).toEqual([])
      await visit.close()
      await stop()
    })

    test('the dock stays when React replaces a document that it cannot hydrate', async () => {
      const address = await start({ panel: { dock: true } }, { 'src/client.js': hydratingLater })
      const visit = await browser.openVisit()
      await visit.page.goto(address)
      const host = `document.querySelector('understudy-dock').shadowRoot`
      await waitUntil(visit.page, `${host}.querySelector('button') && window.hydrate`)
      await visit.page.evaluate(`void (document.querySelector('h1').textContent = 'from elsewhere', hydrate())`)
      await waitForName(visit.page)
      expect(await visit.page.evaluate('recovered.length')).toBe(1)
      await waitUntil(visit.page, `${host}.querySelector('button')`)
      await visit.page.evaluate(`${host}.querySelector('button').click()`)
      const tab = `[...(${host}.querySelector('iframe')?.contentDocument?.querySelectorAll('[role=tab]') ?? [])]`
      await waitUntil(visit.page, `${tab}.some(({ textContent }) => /Handlers/.test(textContent))`)
      await visit.close()
      await stop()
    })
  })
}
