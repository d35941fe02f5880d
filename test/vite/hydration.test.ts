/** Tests that the plugin's elements cause no mismatch when React hydrates a document of a server. */
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { createProject } from '../acceptance/project.ts'
import { findPort, runTool } from '../acceptance/run-tool.ts'
import { vite } from './vite.ts'

test('React hydrates a whole document without a warning, and is mocked', async () => {
  const [browser, project, port] = await Promise.all([
    launchBrowser(),
    createProject('test/fixtures/hydration'),
    findPort(),
  ])
  await vite.configure(project, {})
  const { folder } = project
  const server = runTool(join(folder, 'server.js'), [], { folder, env: { PORT: String(port) } })
  await server.untilSaid(/listening/)
  const { page, ...visit } = await openVisit(browser)
  await page.goto(`http://localhost:${port}/`)
  await page.getByRole('heading', { name: 'Ada' }).waitFor()
  expect(await page.evaluate('recovered')).toEqual([])
  expect(visit.errors).toEqual([])
  expect(visit.console.filter((line) => /^(error|warning)/.test(line))).toEqual([])
  await Promise.all([browser.close(), server.stop()])
  await project.dispose()
})

test('the dock stays when React replaces a document that it cannot hydrate', async () => {
  const [browser, project, port] = await Promise.all([
    launchBrowser(),
    createProject('test/fixtures/hydration', {
      'src/client.js': `import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Document } from './document.js'
window.recovered = []
window.hydrate = () =>
  hydrateRoot(document, createElement(Document), { onRecoverableError: (error) => window.recovered.push(error.message) })
`,
    }),
    findPort(),
  ])
  await vite.configure(project, { plugin: { panel: { dock: true } } })
  const { folder } = project
  const server = runTool(join(folder, 'server.js'), [], { folder, env: { PORT: String(port) } })
  await server.untilSaid(/listening/)
  const { page } = await openVisit(browser)
  await page.goto(`http://localhost:${port}/`)
  const toggle = page.getByRole('button', { name: 'Understudy', exact: true })
  await toggle.waitFor()
  await page.waitForFunction('window.hydrate')
  await page.evaluate(`document.querySelector('h1').textContent = 'from elsewhere'; hydrate()`)
  await page.getByRole('heading', { name: 'Ada' }).waitFor()
  expect(await page.evaluate('recovered.length')).toBe(1)
  await toggle.click()
  await page.frameLocator('iframe[title="Understudy panel"]').getByRole('tab', { name: 'Handlers' }).waitFor()
  await Promise.all([browser.close(), server.stop()])
  await project.dispose()
})
