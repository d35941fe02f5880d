/** Tests the panel on a dev server that renders: it shows the requests of the server and of pages. */
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import { backendAnswer, startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, savingUntil, type Project } from '../acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../acceptance/run-tool.ts'

const handlersFile = 'src/mocks/handlers.js'

let backend: CountingBackend
let browser: Browser
let project: Project
let server: ToolProcess
let port: number
let origin: string
let app: Visit
let panel: Page

beforeAll(async () => {
  ;[backend, browser, port, project] = await Promise.all([
    startBackend(),
    launchBrowser(),
    findPort(),
    createProject('test/fixtures/ssr', { editor: '#!/bin/sh\necho "$@" >> "$(dirname "$0")/opened"\n', opened: '' }),
  ])
  await chmod(join(project.folder, 'editor'), 0o755)
  origin = `http://localhost:${port}`
  await start()
})

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

async function start(): Promise<void> {
  const env = { VITE: 'vite', API_ORIGIN: backend.origin, LAUNCH_EDITOR: join(project.folder, 'editor') }
  server = runTool('server.js', [String(port)], { folder: project.folder, env })
  await server.untilSaid(/Local: http/)
}

beforeEach(async () => {
  app = await openVisit(browser)
  await app.page.goto(origin)
  await app.page.getByRole('heading', { name: 'title 0' }).waitFor()
  panel = await openPanel()
})

afterEach(async () => {
  await app.close()
  backend.forget()
})

async function openPanel(hash = ''): Promise<Page> {
  const { page } = await openPage(app.context)
  page.on('pageerror', (error) => expect.fail(String(error)))
  await page.goto(`${origin}/__understudy/${hash}`)
  return page
}

async function get(path: string): Promise<string> {
  const response = await fetch(origin + path, { headers: { 'Sec-Fetch-Dest': 'document' } })
  return response.text()
}

const choose = (name: RegExp): Promise<void> =>
  panel.getByRole('group', { name: 'Requests of' }).getByRole('button', { name }).click()
const row = (header: string): Locator =>
  panel.getByRole('listitem').filter({ has: panel.getByRole('switch', { name: header, exact: true }) })

test('the server’s handlers and requests are separate from the page’s', async () => {
  await choose(/^Dev server/)
  await expect.poll(() => row('GET /api/seats').textContent()).toMatch(/[1-9]\d* hits?/)
  await panel.getByRole('tab', { name: 'Requests' }).click()
  const requests = panel.getByRole('listbox', { name: 'Requests' })
  const seats = requests.getByRole('option', { name: /\/api\/seats/ })
  const before = await seats.count()
  for (const path of ['/api/unheard-of', '/api/seats']) await get(`/ask${path}`)
  // Bodies are kept only while the panel is open.
  await expect.poll(() => seats.count()).toBe(before + 1)
  await seats.first().click()
  const response = panel.getByRole('region', { name: 'Response' })
  await expect.poll(() => response.textContent()).toContain('"seats 0"')
  await panel.getByRole('tab', { name: 'Unhandled' }).click()
  await panel.getByRole('listitem').filter({ hasText: '/api/unheard-of' }).first().waitFor()

  await choose(/^Browser/)
  await panel.getByRole('tab', { name: 'Requests' }).click()
  await requests
    .getByRole('option', { name: /\/api\/title/ })
    .first()
    .waitFor()
  expect(await seats.count()).toBe(0)
})

test('an override on the server applies only to the server, and survives a restart', async () => {
  await choose(/^Dev server/)
  await panel.getByRole('switch', { name: 'GET /api/title' }).click()
  await panel.getByText('1 handler overridden').waitFor()
  expect(await get('/ask/api/title')).toContain(backendAnswer.from)
  expect(await app.page.evaluate(async () => (await fetch('/api/title')).text())).toContain('title 0')
  expect(new URL(panel.url()).hash).toBe('#server+initial+GET+%2Fapi%2Ftitle=off')

  // The override still applies while the panel shows the page, and the panel says so.
  await choose(/^Browser/)
  await panel.getByText('1 handler overridden').waitFor({ state: 'detached' })
  expect(await panel.getByRole('button', { name: /^Dev server/ }).textContent()).toBe('Dev server1')
  await server.stop()
  await start()
  await get('/early')
  await expect.poll(() => get('/ask/api/title')).toContain(backendAnswer.from)

  await choose(/^Dev server/)
  await panel.getByRole('button', { name: 'Reset all' }).click()
  await expect.poll(() => get('/ask/api/title')).toContain('title 0')
})

test('overrides apply to every request of the server during edits of handlers', async () => {
  await choose(/^Dev server/)
  await panel.getByRole('switch', { name: 'GET /api/title' }).click()
  await expect.poll(() => get('/ask/api/title')).toContain(backendAnswer.from)
  const original = await project.read(handlersFile)
  const edited = original.replace('`seats ${word}`', "'seats of the edit'")
  const titles = new Set<string>()
  let isOver = false
  const loop = (async () => {
    while (!isOver) titles.add(await get('/ask/api/title'))
  })()
  await savingUntil(project, handlersFile, edited, () => get('/ask/api/seats')).toContain('seats of the edit')
  isOver = true
  await loop
  expect([...titles]).toEqual([JSON.stringify(backendAnswer)])
  await panel.getByRole('button', { name: 'Reset all' }).click()
  await savingUntil(project, handlersFile, original, () => get('/early')).toContain('title 0')
})

test('a click on a place opens the editor there', async () => {
  await choose(/^Dev server/)
  await row('GET /api/title').getByRole('button', { name: 'Open src/mocks/handlers.js:6 in the editor' }).click()
  await expect.poll(() => project.read('opened')).toContain(`${join(project.folder, handlersFile)} 6 `)
})

test('a server that renders no pages is not shown', async () => {
  // Otherwise, the pages would reload when the server is back.
  for (const page of [panel, app.page]) await page.goto('about:blank')
  await server.stop()
  const config = await project.read('vite.config.js')
  await project.write('vite.config.js', config.replace('understudy()', 'understudy({ ssr: false })'))
  await start()
  await panel.goto(`${origin}/__understudy/`)
  await app.page.goto(origin)
  await panel.getByRole('tab', { name: 'Handlers' }).waitFor()
  expect(await panel.getByRole('group', { name: 'Requests of' }).count()).toBe(0)
  await server.stop()
  await project.write('vite.config.js', config)
  await start()
})
