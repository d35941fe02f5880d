/** Tests a server that renders, with Vite as middleware: the same handlers answer its requests and the page's. */

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { backendAnswer, startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, savingUntil, type Project } from '../acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../acceptance/run-tool.ts'

const handlersFile = 'src/mocks/handlers.js'

let backend: CountingBackend
let browser: Browser
let project: Project
let server: ToolProcess
let origin: string

beforeAll(async () => {
  ;[backend, browser] = await Promise.all([startBackend(), launchBrowser()])
})

afterAll(() => Promise.all([browser.close(), backend.close()]))

beforeEach(async () => {
  project = await createProject('test/fixtures/ssr')
})

afterEach(async () => {
  await server.stop()
  await project.dispose()
  backend.forget()
})

/** @param vite the alias of a version in package.json */
async function start(vite = 'vite'): Promise<void> {
  const port = await findPort()
  const env = { VITE: vite, API_ORIGIN: backend.origin }
  server = runTool('server.js', [String(port)], { folder: project.folder, env })
  await server.untilSaid(/Local: http/)
  origin = `http://localhost:${port}`
}

async function configure(plugin: string): Promise<void> {
  const from = server.output.length
  const config = (await project.read('vite.config.js')).replace(/understudy\(.*\)/, plugin)
  await project.write('vite.config.js', config)
  await server.untilSaid(/restarted/, from)
}

async function get(path: string): Promise<string> {
  const response = await fetch(origin + path, { headers: { 'Sec-Fetch-Dest': 'document' } })
  return response.text()
}

const versions = ['vite', 'vite-7', 'vite-6']

test.for(versions)('%s: the same handlers answer server and page, and React hydrates', async (vite) => {
  await start(vite)
  const visit = await openVisit(browser)
  await visit.page.goto(origin)
  await visit.page.getByRole('heading', { name: 'title 0' }).waitFor()
  expect(await visit.page.locator('#seats').textContent()).toBe('seats 0')
  await expect.poll(() => visit.page.locator('#client').textContent()).toBe('title 0')
  expect(visit.navigations).toHaveLength(1)
  expect(visit.errors).toEqual([])
  expect(visit.console.filter((line) => /^(error|warning)/.test(line))).toEqual([])
  expect(backend.requests).toEqual([])
  await visit.close()
})

test.for(versions)('%s: an edit applies to the next request of server and page', async (vite) => {
  await start(vite)
  const visit = await openVisit(browser)
  await visit.page.goto(origin)
  await expect.poll(() => visit.page.locator('#client').textContent()).toBe('title 0')
  for (const word of ['1', '2']) {
    const text = `export const word = '${word}'\n`
    await savingUntil(project, 'src/mocks/word.js', text, () => get('/early')).toContain(`title ${word}`)
    expect(JSON.parse(await get('/early'))).toEqual({ title: `title ${word}`, seats: `seats ${word}` })
    await expect
      .poll(() => visit.page.evaluate(async () => (await fetch('/api/title')).text()))
      .toContain(`title ${word}`)
  }
  expect(visit.navigations).toHaveLength(1)
  expect(backend.requests).toEqual([])
  await visit.close()
})

const faults: [name: string, file: string, text: string, report: RegExp][] = [
  ['a syntax error', handlersFile, 'export const handlers = [', /handlers\.js/],
  ['a throw', handlersFile, 'nowhere()', /ReferenceError: nowhere is not defined \(at .*handlers\.js:1:1\)/],
  ['a wrong export', handlersFile, 'export const mocks = []', /exports "mocks", but no handlers/],
  ['an import that is not there', handlersFile, "import './nothing.js'", /nothing\.js/],
  ['a throw in what it imports', 'src/mocks/word.js', 'nowhere()', /nowhere is not defined/],
]

test.for(faults)('%s: requests fail until it is fixed, and none escapes', async ([_name, file, text, report]) => {
  const original = await project.read(file)
  await project.write(file, text)
  await start()
  for (const path of ['/', '/early', '/ask/api/unheard-of']) expect(await get(path)).toMatch(report)
  expect(server.output).toMatch(report)
  await savingUntil(project, file, original, () => get('/early')).toContain('title 0')
  expect(backend.requests).toEqual([])
})

test('no handlers file: requests fail until there is one', async () => {
  const original = await project.read(handlersFile)
  await project.remove(handlersFile)
  await start()
  expect(await get('/early')).toMatch(/there is no src\/mocks\/handlers\.ts/)
  await savingUntil(project, handlersFile, original, () => get('/early')).toContain('title 0')
  expect(backend.requests).toEqual([])
})

test.for(faults)('%s later: the previous handlers keep answering', async ([_name, file, text, report]) => {
  await start()
  expect(await get('/early')).toContain('title 0')
  const original = await project.read(file)
  await project.write(file, text)
  await server.untilSaid(report)
  await server.untilSaid(/Until then, the previous handlers keep answering/)
  expect(await get('/early')).toContain('title 0')
  await savingUntil(project, file, original.replace("'0'", "'1'").replace('title ', 'other '), () =>
    get('/early'),
  ).toMatch(/title 1|other 0/)
  expect(backend.requests).toEqual([])
})

test('a passthrough request reaches the network', async () => {
  await start()
  expect(JSON.parse(await get('/ask/api/real'))).toEqual(backendAnswer)
  expect(backend.requests).toEqual(['GET /api/real'])
})

test('an unhandled request reaches the network, with a warning in the terminal', async () => {
  await start()
  expect(JSON.parse(await get('/ask/api/unheard-of'))).toEqual(backendAnswer)
  await server.untilSaid(/No handler matches GET http\S+\/api\/unheard-of/)
  expect(backend.requests).toEqual(['GET /api/unheard-of'])
})

test("the tool's own requests and those that it forwards are not intercepted", async () => {
  await start()
  expect(await get('/early')).toContain('title 0')
  expect(await get('/ask/api/title')).toContain('title 0')
  expect(JSON.parse(await get('/~of-the-tool'))).toEqual(backendAnswer)
  // A request that a page's handler bypasses reaches the proxy.
  expect(JSON.parse(await get('/api/title'))).toEqual(backendAnswer)
  expect(await get('/ask/api/title')).toContain('title 0')
  expect(backend.requests).toEqual(['GET /api/title', 'GET /api/title'])
})

test.for(versions)('%s: a restart keeps mocking, and a restart without the plugin removes everything', async (vite) => {
  await start(vite)
  expect(await get('/early')).toContain('title 0')
  expect(await get('/~is-native')).toBe('false')
  await configure('understudy({ quiet: true })')
  expect(await get('/early')).toContain('title 0')
  expect(backend.requests).toEqual([])

  await configure('understudy({ ssr: false })')
  expect(await get('/~is-native')).toBe('true')
  expect(JSON.parse(await get('/ask/api/title'))).toEqual(backendAnswer)
})
