/** Runs the recipe of docs/test-runners.md unchanged with Playwright's own runner. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startBackend } from '../acceptance/counting-backend.ts'
import { createProject, repository } from '../acceptance/project.ts'
import { runTool } from '../acceptance/run-tool.ts'
import { readExamples } from '../docs/read-examples.ts'
import { findForTest } from '../find-chromium.ts'
import { vite } from './vite.ts'

const page = 'docs/test-runners.md'

test.each([
  ['with the service worker', {}],
  ['without, as for `page.route()`', { serviceWorkers: 'block' }],
])('%s', async (_how, use) => {
  const { examples } = readExamples(await readFile(join(repository, page), 'utf8'), page)
  const files = examples.filter(({ file }) => file?.startsWith('tests/'))
  expect(files.length).toBe(2)
  const [backend, project] = await Promise.all([startBackend(), createProject('test/fixtures/plays')])
  for (const { file = '', code } of files) await project.write(file, code)
  await vite.configure(project, { api: backend.origin, plugin: { expose: true } })
  const server = await vite.start(project)
  const launchOptions = {
    executablePath: findForTest(),
    args: ['--no-sandbox', '--disable-background-networking'],
  }
  await project.write(
    'playwright.config.js',
    `export default ${JSON.stringify({ testDir: 'tests', reporter: 'line', use: { baseURL: server.origin, launchOptions, ...use } })}`,
  )
  const runner = runTool(join(repository, 'node_modules/@playwright/test/cli.js'), ['test'], { folder: project.folder })
  expect(await runner.exit, runner.output).toBe(0)
  expect(runner.output).toContain('3 passed')
  expect(backend.requests).toEqual([])
  await Promise.all([server.stop(), backend.close()])
  await project.dispose()
})
