/** Tests the app in Chromium, on Rspack's dev server, with a backend that counts its requests. None may reach it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/@rspack/cli/bin/rspack.js')

let backend: CountingBackend
let project: Project
let browser: Browser
let server: ToolProcess
let origin: string
let visit: Visit
let page: Page

beforeAll(async () => {
  ;[backend, project, browser] = await Promise.all([startBackend(), createHeavyProject('rspack-vue'), launchBrowser()])
  const port = await findPort()
  origin = `http://localhost:${port}`
  const env = { API_ORIGIN: backend.origin }
  server = runTool(cli, ['dev', '--port', String(port)], { folder: project.folder, env })
  await Promise.all([server.untilSaid(/compiled successfully/), server.untilSaid(/Local:/)])
})

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

beforeEach(async () => {
  visit = await openVisit(browser)
  page = visit.page
  await page.goto(origin)
  await page.getByRole('heading', { name: 'The buoys', level: 1 }).waitFor()
})

afterEach(async () => {
  await visit.close()
  const escaped = [...backend.requests]
  backend.forget()
  expect({ escaped, errors: visit.errors }).toEqual({ escaped: [], errors: [] })
})

const listBuoys = (): Promise<string[]> => page.getByRole('listitem').allInnerTexts()

test('requests of modules and components are mocked, by HTTP and by WebSocket', async () => {
  await expect.poll(listBuoys).toEqual(['Mole end: 15.1 °C', 'Outer reef: 12.8 °C'])
  expect(visit.navigations).toHaveLength(1)
})

test('a form is refused, and then accepted', async () => {
  await page.getByLabel('Alarm above').fill('50')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The sea never gets that warm.').waitFor()
  await page.getByLabel('Alarm above').fill('18')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('We call above 18 °C.').waitFor()
})

test('files of a context are edited, added and removed without a reload of the page', async () => {
  const names = (): Promise<string[]> =>
    page.evaluate(async () => {
      const list = (await (await fetch('/api/buoys')).json()) as { name: string }[]
      return list.map(({ name }) => name)
    })
  const file = (name: string): string => JSON.stringify({ id: name, name, temperature: 10 })
  await savingUntil(project, 'src/mocks/buoys/reef.json', file('Inner reef'), names).toEqual(['Mole end', 'Inner reef'])
  await savingUntil(project, 'src/mocks/buoys/wreck.json', file('Wreck'), names).toEqual([
    'Mole end',
    'Inner reef',
    'Wreck',
  ])
  await project.remove('src/mocks/buoys/wreck.json')
  await expect.poll(names).toEqual(['Mole end', 'Inner reef'])
  expect(visit.navigations).toHaveLength(1)
})

test('a build contains no mocks', async () => {
  const tool = runTool(cli, ['build'], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)
  const folder = join(project.folder, 'dist')
  const files = await readdir(folder)
  expect(files.toSorted()).toEqual(['index.html', 'main.css', 'main.js'])
  for (const file of files) {
    expect(await readFile(join(folder, file), 'utf8'), file).not.toMatch(/understudy|Outer reef|serviceWorker/)
  }
})
