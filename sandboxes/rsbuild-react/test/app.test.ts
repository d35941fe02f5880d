/** Tests the app in Chromium, on Rsbuild's dev server, with a backend that counts its requests. None may reach it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/@rsbuild/core/bin/rsbuild.js')

let backend: CountingBackend
let project: Project
let browser: Browser
let server: ToolProcess
let origin: string
let visit: Visit
let page: Page

beforeAll(async () => {
  ;[backend, project, browser] = await Promise.all([
    startBackend(),
    createHeavyProject('rsbuild-react'),
    launchBrowser(),
  ])
  const port = await findPort()
  origin = `http://localhost:${port}`
  const env = { API_ORIGIN: backend.origin }
  server = runTool(cli, ['dev', '--port', String(port)], { folder: project.folder, env })
  await Promise.all([server.untilSaid(/built in/), server.untilSaid(/Understudy:/)])
})

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

beforeEach(async () => {
  visit = await openVisit(browser)
  page = visit.page
  await page.goto(origin)
  await page.getByRole('heading', { name: 'The ferries', level: 1 }).waitFor()
})

afterEach(async () => {
  await visit.close()
  const escaped = [...backend.requests]
  backend.forget()
  expect({ escaped, errors: visit.errors }).toEqual({ escaped: [], errors: [] })
})

test('the request of a module and the requests of components are mocked', async () => {
  await expect.poll(() => page.getByRole('listitem').count()).toBe(2)
  await page.getByRole('button').first().click()
  await page.getByText('A cabin is yours.').waitFor()
  await page.getByRole('button').last().click()
  await page.getByText('The night ferry is full.').waitFor()
  expect(visit.navigations).toHaveLength(1)
})

test('an edit of a JSON file that the handlers import applies to the next request, and the page stays', async () => {
  const original = await project.read('src/mocks/departures.json')
  const ask = (): Promise<string> => page.evaluate(async () => (await fetch('/api/departures')).text())
  const file = 'src/mocks/departures.json'
  await savingUntil(project, file, original.replace('Skagen', 'Oslo'), ask).toContain('Oslo')
  await savingUntil(project, file, original, ask).toContain('Skagen')
  expect(visit.navigations).toHaveLength(1)
})

test('the terminal prints the address of the panel, and the panel answers there', async () => {
  const [, address = ''] = await server.untilSaid(/Understudy:\s+(http\S+)/)
  expect(address).toBe(`${origin}/__understudy/`)
  const response = await fetch(address)
  expect(await response.text()).toContain('<title>Understudy</title>')
})

test('the console names the lines of the source', async () => {
  await expect
    .poll(() => visit.console.join('\n'))
    .toMatch(/Handler GET \/api\/departures src\/mocks\/handlers\.ts:6:\d+/)
})

test('a build contains no mocks', async () => {
  const tool = runTool(cli, ['build'], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)
  const folder = join(project.folder, 'dist')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(1)
  for (const { parentPath, name } of files) {
    expect(await readFile(join(parentPath, name), 'utf8'), name).not.toMatch(
      /understudy(?!_sandbox)|Skagen|serviceWorker/,
    )
  }
})

test('a build fails if the app imports its mocks, and prints the import chain', async () => {
  await project.edit('src/main.tsx', 'import { Timetable }', "import './mocks/handlers.ts'\nimport { Timetable }")
  const tool = runTool(cli, ['build'], { folder: project.folder })
  expect(await tool.exit).not.toBe(0)
  expect(tool.output).toMatch(/src\/main\.tsx imports src\/mocks\/handlers\.ts/)
})
