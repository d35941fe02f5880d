/** Tests stories of Ladle, which starts Vite with a root in its own package and passes requests through Koa. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { createHeavyProject, repository, savingUntil, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../../../test/acceptance/run-tool.ts'

const ladle = join(repository, 'sandboxes/ladle/node_modules/@ladle/react/lib/cli/cli.js')
const handlers = 'src/mocks/handlers.js'

let browser: Browser
let project: Project

beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createHeavyProject('ladle')])
})
afterAll(async () => {
  await browser.close()
  await project.dispose()
})

async function serve(): Promise<{ tool: ToolProcess; origin: string }> {
  const port = await findPort()
  const tool = runTool(ladle, ['serve', '--port', String(port)], { folder: project.folder })
  await tool.untilSaid(/served at/)
  return { tool, origin: `http://localhost:${port}` }
}

test('a story is answered, also after edits and when the handlers file is created again', async ({
  onTestFinished,
}) => {
  const { tool, origin } = await serve()
  onTestFinished(() => tool.stop())
  const visit = await openVisit(browser)
  onTestFinished(() => visit.close())
  const { page } = visit
  await page.goto(`${origin}/?story=user--user`)
  const shown = page.locator('p')
  await expect.poll(() => shown.innerText()).toBe('the mock')

  const text = await project.read(handlers)
  const ask = (): Promise<unknown> =>
    page.evaluate(() => fetch('/api/user').then((response) => response.json())).catch((error: unknown) => error)
  await savingUntil(project, handlers, text.replace('the mock', 'an edit'), ask).toEqual({ name: 'an edit' })

  await project.remove(handlers)
  await tool.untilSaid(/Failed to find the handlers: .* and no mocks\/handlers\.ts in .*ladle-[^/]*\. Create one/)
  await savingUntil(project, handlers, text, () => shown.allInnerTexts().catch(() => [])).toEqual(['the mock'])
})

test('the panel shows the handlers with their file', async ({ onTestFinished }) => {
  const { tool, origin } = await serve()
  onTestFinished(() => tool.stop())
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const [story, panel] = [await context.newPage(), await context.newPage()]
  await story.goto(`${origin}/?story=user--user`)
  await expect.poll(() => story.locator('p').innerText()).toBe('the mock')
  await panel.goto(`${origin}/__understudy/`)
  await panel.getByRole('switch', { name: 'GET /api/user' }).waitFor()
  await expect.poll(() => panel.locator('body').textContent()).toContain('mocks/handlers.js:3')
})

test('a build does not contain it', async () => {
  const tool = runTool(ladle, ['build'], { folder: project.folder })
  expect(await tool.exit, tool.output).toBe(0)
  const folder = join(project.folder, 'build')
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:js|html)$/.test(name))
  expect(files.length).toBeGreaterThan(1)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join('\n')).not.toMatch(/understudy/i)
})
