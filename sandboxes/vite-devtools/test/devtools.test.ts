/** Tests the panel as a dock of Vite DevTools. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, repository, type Project } from '../../../test/acceptance/project.ts'
import { createVite } from '../../../test/vite/vite.ts'

const vite = createVite('Vite DevTools', join(repository, 'sandboxes/vite-devtools/node_modules/vite'))

let browser: Browser
let project: Project

beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createHeavyProject('vite-devtools')])
})
afterAll(async () => {
  await browser.close()
  await project.dispose()
})

test('the panel is a dock, and the connections of Vite DevTools are not reported as unhandled', async () => {
  const server = await vite.start(project)
  const visit = await openVisit(browser)
  const { page } = visit
  await page.goto(server.origin)
  await expect.poll(() => page.locator('main').innerText()).toBe('the mock')
  const dock = page.locator('devframes-dock-embedded')
  // The bar of docks opens below the pointer.
  const { height } = page.viewportSize() ?? { height: 0 }
  await dock.waitFor({ state: 'attached' })
  await page.mouse.move(110, height - 19)
  await dock.getByRole('button', { name: 'Understudy' }).first().click()
  const panel = page.frameLocator(`iframe[src*="/__understudy/"]`)
  await panel.getByRole('switch', { name: 'GET /api/user' }).waitFor()
  await panel.getByText('1 hit').waitFor()
  expect(visit.console.join('\n')).not.toContain('__devtools/__ws')
  await visit.close()
  await server.stop()
})

test('with "panel: false", there is no dock', async () => {
  await project.edit('vite.config.js', 'understudy()', 'understudy({ panel: false })')
  const server = await vite.start(project)
  const { page, close } = await openVisit(browser)
  await page.goto(server.origin)
  await expect.poll(() => page.locator('main').innerText()).toBe('the mock')
  const dock = page.locator('devframes-dock-embedded')
  await dock.getByRole('button', { name: 'Settings' }).first().waitFor({ state: 'attached' })
  expect(await dock.getByRole('button', { name: 'Understudy' }).count()).toBe(0)
  await close()
  await server.stop()
})

test('a build does not contain it', async () => {
  const { code, output } = await vite.build(project)
  expect(code, output).toBe(0)
  const folder = join(project.folder, 'dist')
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:js|html)$/.test(name))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join('\n')).not.toMatch(/understudy/i)
})
