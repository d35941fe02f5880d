/** The app in Chromium, on Angular's dev server, which forwards `/api` to a backend that counts its requests: none may reach it. */
import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/@angular/cli/bin/ng.js')

let backend: CountingBackend
let project: Project
let browser: Browser
let server: ToolProcess
let origin: string
let visit: Visit
let page: Page

beforeAll(async () => {
  ;[backend, project, browser] = await Promise.all([startBackend(), createHeavyProject('angular'), launchBrowser()])
  // The CLI refuses assets outside the workspace.
  await symlink('../../node_modules', join(project.folder, 'node_modules'))
  await project.write('proxy.json', JSON.stringify({ '/api': { target: backend.origin } }))
  const port = await findPort()
  origin = `http://localhost:${port}`
  server = runTool(cli, ['serve', '--port', String(port), '--proxy-config', 'proxy.json'], { folder: project.folder })
  await server.untilSaid(/Local:/)
})

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

beforeEach(async () => {
  visit = await openVisit(browser)
  page = visit.page
})

afterEach(async () => {
  await visit.close()
  backend.forget()
})

async function openApp(): Promise<void> {
  await page.goto(origin)
  await page.getByRole('heading', { name: 'Tides' }).waitFor()
}

test('the dev server forwards requests that no page mocks', async () => {
  await (await fetch(`${origin}/api/harbor`)).text()
  expect(backend.requests).toEqual(['GET /api/harbor'])
})

test('the first request of a module and the requests of HttpClient are mocked', async () => {
  await openApp()
  await page.getByText('04:10: 1.4 m').waitFor()
  expect(await page.locator('html').getAttribute('data-harbor')).toBe('Esbjerg')
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(`${origin}/worker.js`)
  expect({ escaped: backend.requests, errors: visit.errors }).toEqual({ escaped: [], errors: [] })
})

test('an edit of the handlers reloads the page, and its requests get the new responses', async () => {
  await openApp()
  const file = 'src/mocks/handlers.ts'
  const original = await project.read(file)
  const readHarbor = (): Promise<string | null> => page.locator('html').getAttribute('data-harbor')
  await savingUntil(project, file, original.replace('Esbjerg', 'Skagen'), readHarbor).toBe('Skagen')
  await savingUntil(project, file, original, readHarbor).toBe('Esbjerg')
  expect(visit.navigations.length).toBeGreaterThan(1)
  expect(backend.requests).toEqual([])
})

test('the app does not start if the handlers module throws, and the console names the reason', async () => {
  await openApp()
  const file = 'src/mocks/handlers.ts'
  const original = await project.read(file)
  const readErrors = (): Promise<string> => Promise.resolve(visit.errors.join('\n'))
  await savingUntil(project, file, `${original}\nthrow new Error('low water')\n`, readErrors).toContain('low water')
  expect(await page.getByRole('heading', { name: 'Tides' }).count()).toBe(0)
  await savingUntil(project, file, original, () => page.getByRole('heading', { name: 'Tides' }).count()).toBe(1)
  expect(backend.requests).toEqual([])
})

test('a build for production contains no mocks', async () => {
  const tool = runTool(cli, ['build', '--output-path', 'dist'], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)
  const folder = join(project.folder, 'dist')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name)
  expect(names).toContain('index.html')
  expect(names).not.toContain('worker.js')
  for (const { parentPath, name } of files) {
    expect(await readFile(join(parentPath, name), 'utf8'), name).not.toMatch(/understudy|Esbjerg|serviceWorker/i)
  }
})
