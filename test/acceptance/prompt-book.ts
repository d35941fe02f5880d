import { join } from 'node:path'

import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { createVite } from '../vite/vite.ts'
import { launchBrowser, openVisit, type Visit } from './browser.ts'
import type { BuildTool, RunningServer } from './build-tool.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createHeavyProject, repository, savingUntil, type Project } from './project.ts'

/**
 * Tests the same small app with different frameworks: it is mocked from the first request, and during edits of components
 * and handlers.
 *
 * @param sandbox its folder in `sandboxes`
 * @param component the file that renders it
 */
export function testPromptBook(sandbox: string, component: string): void {
  const tool: BuildTool = createVite(sandbox, join(repository, 'sandboxes', sandbox, 'node_modules/vite'))
  let backend: CountingBackend
  let browser: Browser
  let project: Project
  let server: RunningServer
  let visit: Visit
  let page: Page

  beforeAll(async () => {
    ;[backend, browser, project] = await Promise.all([startBackend(), launchBrowser(), createHeavyProject(sandbox)])
    server = await tool.start(project, { env: { API_ORIGIN: backend.origin } })
  })

  afterAll(async () => {
    await Promise.all([browser.close(), server.stop(), backend.close()])
    await project.dispose()
  })

  beforeEach(async () => {
    visit = await openVisit(browser)
    page = visit.page
    await page.goto(server.origin)
    await page.getByRole('heading', { name: 'The Tempest' }).waitFor()
  })

  afterEach(async () => {
    const escaped = [...backend.requests]
    backend.forget()
    const { errors } = visit
    await visit.close()
    expect({ escaped, errors }).toEqual({ escaped: [], errors: [] })
  })

  const readCues = (): Promise<string[]> =>
    page.getByRole('listitem').evaluateAll((items) => items.map((item) => item.firstChild?.textContent?.trim() ?? ''))

  test('it shows the responses and the state of handlers', async () => {
    await expect.poll(readCues).toEqual(['House lights down', 'Thunder'])
    expect(visit.navigations).toHaveLength(1)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Done' }).count()).toBe(0)
  })

  test('an edit of the handlers applies to the next request, and the page stays', async () => {
    await page.evaluate("globalThis.marker = 'this page'")
    const file = 'src/mocks/handlers.ts'
    const original = await project.read(file)
    const readAfterRefresh = async (): Promise<string[]> => {
      await page.getByRole('button', { name: 'Refresh' }).click()
      return readCues()
    }
    await savingUntil(project, file, original.replace('Thunder', 'Rain'), readAfterRefresh).toContain('Rain')
    await savingUntil(project, file, original, readAfterRefresh).toContain('Thunder')
    expect(await page.evaluate('globalThis.marker')).toBe('this page')
  })

  test('an edit of the component is a hot update, and its new requests are mocked', async () => {
    await page.evaluate("globalThis.marker = 'this page'")
    const original = await project.read(component)
    const count = (name: string): Promise<number> => page.getByRole('button', { name }).count()
    const edited = original.replace('Refresh', 'Reload the cues')
    await savingUntil(project, component, edited, () => count('Reload the cues')).toBe(1)
    await expect.poll(readCues).toEqual(['House lights down', 'Thunder'])
    expect(await page.evaluate('globalThis.marker')).toBe('this page')
    // Waits until the tool has served the restored file. Otherwise the next test may get a half-written one.
    await savingUntil(project, component, original, () => count('Refresh')).toBe(1)
  })

  test('a build contains no mocks', async () => {
    const { code, output } = await tool.build(project)
    expect(code, output).toBe(0)
    const preview = await tool.serve(project)
    const built = await openVisit(browser)
    await built.page.goto(preview.origin)
    const texts = await built.page.evaluate(async () => {
      const scripts = [...document.scripts].map(({ src }) => src)
      return Promise.all(scripts.map(async (src) => (await fetch(src)).text()))
    })
    expect(texts.join('').length).toBeGreaterThan(1000)
    expect(texts.join('')).not.toMatch(/understudy|The Tempest/i)
    await Promise.all([built.close(), preview.stop()])
    backend.forget()
  })
}
