import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from './browser.ts'
import type { BuildTool, RunningServer } from './build-tool.ts'
import { createProject, type Project } from './project.ts'

/** Tests the button in the app's page that opens the panel. */
export function testDock(tool: BuildTool): void {
  let browser: Browser
  let project: Project
  let server: RunningServer

  beforeAll(async () => {
    browser = await launchBrowser()
    project = await createProject('test/fixtures/hot', {
      'src/mocks/handlers.ts': `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }))]
`,
      'src/main.js': 'window.ask = async (path) => (await fetch(path)).status\n',
    })
    await tool.configure(project, { plugin: { panel: { dock: true } } })
    server = await tool.start(project)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await project?.dispose()
  })

  test(`a button in the page opens the panel: ${tool.name}`, async () => {
    const visit = await openVisit(browser)
    const { page } = visit
    await page.goto(server.origin)
    await page.waitForFunction('window.ask')
    await page.evaluate(`ask('/api/user')`)
    await page.getByRole('button', { name: 'Understudy', exact: true }).click()
    const panel = page.frameLocator('iframe[title="Understudy panel"]')
    await panel.getByRole('tab', { name: 'Requests' }).click()
    await panel.getByRole('option', { name: /\/api\/user/ }).waitFor()
    expect(visit.errors).toEqual([])
    await visit.close()
  })

  test(`a build does not contain it: ${tool.name}`, async () => {
    const { code, output } = await tool.build(project)
    expect(code, output).toBe(0)
    expect(await project.read('dist/index.html')).not.toMatch(/understudy|dock\.js/i)
  })
}
