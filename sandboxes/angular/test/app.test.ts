/** Tests the app in Chromium, on Angular's dev server, which forwards `/api` to a backend that counts its requests. None may reach it. */
import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/@angular/cli/bin/ng.js')
const handlersFile = 'src/mocks/handlers.ts'
/** A module that the handlers import, by a path of tsconfig.json. */
const dataFile = 'src/data/tides.ts'

let backend: CountingBackend
let browser: Browser
let project: Project
let visit: Visit
let page: Page

beforeAll(async () => {
  ;[backend, project, browser] = await Promise.all([startBackend(), createHeavyProject('angular'), launchBrowser()])
  // The CLI looks for its packages in the workspace.
  await symlink('../../node_modules', join(project.folder, 'node_modules'))
  await project.write('proxy.json', JSON.stringify({ '/api': { target: backend.origin } }))
})

afterAll(async () => {
  await Promise.all([browser.close(), backend.close()])
  await project.dispose()
})

interface AngularServer {
  readonly origin: string
  readonly process: ToolProcess
}

async function serve(...args: readonly string[]): Promise<AngularServer> {
  const port = await findPort()
  const all = ['serve', '--port', String(port), '--proxy-config', 'proxy.json', ...args]
  const process = runTool(cli, all, { folder: project.folder })
  await process.untilSaid(/Understudy:/)
  return { origin: `http://localhost:${port}`, process }
}

async function open(address: string): Promise<void> {
  visit = await openVisit(browser)
  page = visit.page
  await page.goto(address)
  await page.getByText('04:10: 1.4 m').waitFor()
}

async function closeVisit(): Promise<void> {
  const { errors } = visit
  await visit.close()
  const escaped = [...backend.requests]
  backend.forget()
  expect({ escaped, errors }).toEqual({ escaped: [], errors: [] })
}

const harbor = (): Promise<string> => page.evaluate(async () => (await fetch('/api/harbor')).text())

describe('an app that runs in the page', () => {
  let server: AngularServer

  beforeAll(async () => {
    server = await serve()
  })
  afterAll(() => server.process.stop())
  afterEach(closeVisit)

  test('the requests of inline scripts, of modules and of HttpClient are mocked, at the first visit', async () => {
    await (await fetch(`${server.origin}/api/harbor`)).text()
    expect(backend.requests).toEqual(['GET /api/harbor'])
    backend.forget()
    await open(server.origin)
    expect(await page.evaluate('early')).toBe('Esbjerg')
    expect(await page.locator('html').getAttribute('data-harbor')).toBe('Esbjerg')
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(
      `${server.origin}/understudy-worker.js`,
    )
    expect(visit.console.join('\n')).toContain('Mocking is on')
    expect(visit.navigations).toHaveLength(1)
  })

  test('an edit of the handlers applies to the next request, and the page stays', async () => {
    await open(server.origin)
    for (const [file, text] of [
      [handlersFile, 'Harbor.Home'],
      [dataFile, "'Esbjerg'"],
    ] as const) {
      const original = await project.read(file)
      await savingUntil(project, file, original.replace(text, "'Skagen'"), harbor).toBe('Skagen')
      await savingUntil(project, file, original, harbor).toBe('Esbjerg')
    }
    expect(visit.navigations).toHaveLength(1)
  })

  test('an edit of a component reaches the page', async () => {
    await open(server.origin)
    const file = 'src/app/app.ts'
    const original = await project.read(file)
    const title = (): Promise<string | null> => page.locator('h1').textContent()
    await savingUntil(project, file, original.replace('<h1>Tides', '<h1>High tides'), title).toBe('High tides')
    await savingUntil(project, file, original, title).toBe('Tides')
    expect(await harbor()).toBe('Esbjerg')
  })

  test('the overlay shows handlers that throw, and the previous handlers stay', async () => {
    await open(server.origin)
    const original = await project.read(handlersFile)
    const overlay = (): Promise<string> =>
      page.evaluate(() => document.querySelector('vite-error-overlay')?.shadowRoot?.textContent ?? '')
    await savingUntil(project, handlersFile, `${original}\nthrow new Error('low water')\n`, overlay).toContain(
      'low water',
    )
    expect(await harbor()).toBe('Esbjerg')
    await savingUntil(project, handlersFile, original.replace('Harbor.Home', "'Skagen'"), harbor).toBe('Skagen')
    await expect.poll(overlay).toBe('')
    await savingUntil(project, handlersFile, original, harbor).toBe('Esbjerg')
  })

  test('the panel shows the handlers with their lines', async () => {
    await open(server.origin)
    const [, address = ''] = await server.process.untilSaid(/Understudy:\s+(http\S+)/)
    expect(address).toBe(`${server.origin}/__understudy/`)
    const panel = await visit.context.newPage()
    await panel.goto(address)
    await expect
      .poll(() => panel.getByRole('listitem').allTextContents())
      .toContainEqual(expect.stringMatching(/tides.*mocks\/handlers\.ts:6/))
    await panel
      .getByRole('button', { name: /^Open src\/mocks\/handlers\.ts:6 in the editor/ })
      .first()
      .waitFor()
  })
})

test('an app that the server renders, below another path: both sides are mocked, and share edits', async () => {
  const server = await serve('--configuration', 'rendered')
  const address = `${server.origin}/coast/`
  const render = async (): Promise<string> =>
    (await (await fetch(address, { headers: { Accept: 'text/html' } })).text()).replaceAll(/<!--.*?-->/gs, '')
  expect(await render()).toContain('<li>04:10: 1.4 m</li>')
  expect(backend.requests).toEqual([])
  // Another server answers the requests that the dev server forwards.
  await (await fetch(`${server.origin}/api/harbor`)).text()
  expect(backend.requests).toEqual(['GET /api/harbor'])
  backend.forget()

  await open(address)
  expect(await page.evaluate('early')).toBe('Esbjerg')
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(
    `${address}understudy-worker.js`,
  )
  const original = await project.read(dataFile)
  const edited = original.replace('1.4', '1.5').replace('Esbjerg', 'Skagen')
  await savingUntil(project, dataFile, edited, render).toContain('<li>04:10: 1.5 m</li>')
  await expect.poll(harbor).toBe('Skagen')
  await project.write(dataFile, original)
  await expect.poll(harbor).toBe('Esbjerg')
  expect(visit.navigations).toHaveLength(1)
  const panel = await visit.context.newPage()
  await panel.goto(`${address}__understudy/`)
  await panel.getByRole('button', { name: 'Dev server' }).click()
  await expect
    .poll(() => panel.getByRole('listitem').allTextContents())
    .toContainEqual(expect.stringMatching(/tides.*[1-9]\d* hits?/))
  await closeVisit()
  await server.process.stop()
})

test('ng generate sets the builder and writes a first handler', async () => {
  const config = await project.read('angular.json')
  const handlers = await project.read(handlersFile)
  await project.write('angular.json', config.replace('@understudy/vite-plugin:dev-server', '@angular/build:dev-server'))
  await project.remove(handlersFile)
  const tool = runTool(cli, ['generate', '@understudy/vite-plugin:ng-add'], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)
  expect(JSON.parse(await project.read('angular.json'))).toEqual(JSON.parse(config))
  expect(await project.read(handlersFile)).toContain("http.get('/api/user'")
  await project.write('angular.json', config)
  await project.write(handlersFile, handlers)
})

test("the builder has all options of Angular's", async () => {
  const modules = join(import.meta.dirname, '../node_modules')
  const read = async (file: string): Promise<string[]> => {
    const { properties } = JSON.parse(await readFile(join(modules, file), 'utf8')) as { properties: object }
    return Object.keys(properties)
  }
  const expected = [...(await read('@angular/build/src/builders/dev-server/schema.json')), 'understudy']
  expect(await read('@understudy/vite-plugin/angular/dev-server.json')).toEqual(expected)
})

test('a build for production contains no mocks', async () => {
  const tool = runTool(cli, ['build', '--output-path', 'dist'], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)
  const folder = join(project.folder, 'dist')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toContain('index.html')
  for (const { parentPath, name } of files) {
    expect(await readFile(join(parentPath, name), 'utf8'), name).not.toMatch(/understudy|Esbjerg|serviceWorker/i)
  }
})
