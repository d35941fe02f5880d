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
