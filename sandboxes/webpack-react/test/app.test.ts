/** Tests the app in Chromium, on webpack-dev-server, with a backend that counts its requests. None may reach it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/webpack-cli/bin/cli.js')

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
    createHeavyProject('webpack-react'),
    launchBrowser(),
  ])
  ;({ server, origin } = await serve('webpack.config.js'))
})

async function serve(config: string): Promise<{ server: ToolProcess; origin: string }> {
  const port = await findPort()
  const args = ['serve', '--config', config, '--mode', 'development', '--port', String(port)]
  const tool = runTool(cli, args, { folder: project.folder, env: { API_ORIGIN: backend.origin } })
  await Promise.all([tool.untilSaid(/compiled successfully/), tool.untilSaid(/Loopback:/)])
  return { server: tool, origin: `http://localhost:${port}` }
}

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

beforeEach(async () => {
  visit = await openVisit(browser)
  page = visit.page
  await page.goto(origin)
  await page.getByRole('heading', { name: 'The island ferry', level: 1 }).waitFor()
})

afterEach(async () => {
  await visit.close()
  const escaped = [...backend.requests]
  backend.forget()
  expect({ escaped, errors: visit.errors }).toEqual({ escaped: [], errors: [] })
})

test('requests of the page, modules and components are mocked', async () => {
  await page.getByText('Sailed by Tern & Daughters').waitFor()
  await page.getByText('The noon boat waits for the post.').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(4)
  expect(visit.navigations).toHaveLength(1)
})

test('a form is refused, and then accepted', async () => {
  const book = page.getByRole('button', { name: 'Book' })
  await book.click()
  await page.getByText('Say whose seat it is.').waitFor()
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Sailing').selectOption('18:45 to Island')
  await book.click()
  await page.getByText('That sailing is full.').waitFor()
  await page.getByLabel('Sailing').selectOption('08:15 to Island')
  await book.click()
  await page.getByText('Ada sails at 08:15.').waitFor()
})

test('edits of handlers and components keep the page and the typed text', async () => {
  await page.getByLabel('Name').fill('Ada')
  const answer = (): Promise<string> => page.getByRole('status').last().innerText()
  const handlersFile = 'src/mocks/handlers.ts'
  const handlers = (await project.read(handlersFile)).replace('sails at', 'embarks at')
  await savingUntil(project, handlersFile, handlers, async () => {
    await page.getByRole('button', { name: 'Book' }).click()
    return answer()
  }).toBe('Ada embarks at 08:15.')

  const form = (await project.read('src/BookingForm.tsx')).replace('Book a seat', 'Take a seat')
  const headings = (): Promise<string[]> => page.getByRole('heading', { level: 2 }).allInnerTexts()
  await savingUntil(project, 'src/BookingForm.tsx', form, headings).toEqual(['Take a seat'])
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
  expect(visit.navigations).toHaveLength(1)
})

test('with SWC instead of Babel: it is mocked, and components are refreshed', async () => {
  const bySwc = await serve('webpack.swc.config.js')
  await page.goto(bySwc.origin)
  await page.getByText('Sailed by Tern & Daughters').waitFor()
  await page.getByLabel('Name').fill('Ada')
  const app = (await project.read('src/App.tsx')).replace('Sailed by', 'Steered by')
  const steered = (): Promise<number> => page.getByText('Steered by Tern & Daughters').count()
  await savingUntil(project, 'src/App.tsx', app, steered).toBe(1)
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada')
  await bySwc.server.stop()
})

test.for(['webpack.config.js', 'webpack.swc.config.js'])('a build contains no mocks: %s', async (config) => {
  const tool = runTool(cli, ['build', '--mode', 'production', '--config', config], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)
  const folder = join(project.folder, 'dist')
  const files = (await readdir(folder)).filter((file) => !file.endsWith('.LICENSE.txt'))
  expect(files.toSorted()).toEqual(['index.html', expect.stringMatching(/^main\.\w+\.js$/)])
  for (const file of files) {
    expect(await readFile(join(folder, file), 'utf8'), file).not.toMatch(/understudy|Tern & Daughters|serviceWorker/)
  }
})
