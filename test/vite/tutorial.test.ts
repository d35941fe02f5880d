/** Follows docs/tutorial.md. `test/vitest/documentation.test.ts` runs its test. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../acceptance/browser.ts'
import { createProject, repository, savingUntil, type Project } from '../acceptance/project.ts'
import { readBuild } from '../acceptance/read-build.ts'
import { readExamples } from '../docs/read-examples.ts'
import { vite } from './vite.ts'

/** What the page does not show, because the template of `create-vite` contains it. */
const template = {
  'index.html': '<!doctype html><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  'src/main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App.tsx'

createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>)
`,
}
const handlersFile = 'src/mocks/handlers.ts'

let markdown: string
let project: Project

beforeAll(async () => {
  markdown = await readFile(join(repository, 'docs/tutorial.md'), 'utf8')
  const { examples } = readExamples(markdown, 'docs/tutorial.md')
  const files = examples.map(({ file = '', code }) => [file, code] as const)
  project = await createProject('test/fixtures/empty', { ...template, ...Object.fromEntries(files) })
})

afterAll(() => project?.dispose())

/** Returns the code of the first block of a language after a text of the page. */
function blockAfter(text: string, language: string): string {
  const [, code] = markdown.slice(markdown.indexOf(text)).split(`\n\`\`\`${language}\n`)
  return code?.split('\n```')[0] ?? ''
}

test('the app shows what the tutorial says', async () => {
  const [browser, server] = await Promise.all([launchBrowser(), vite.start(project)])
  const { page, navigations, errors } = await openVisit(browser)
  const readTitles = (): Promise<string[]> => page.getByRole('listitem').allTextContents()

  await page.goto(server.origin)
  await expect.poll(readTitles).toEqual(['Hamlet', 'The Seagull'])

  const loads = navigations.length
  const [removed, added] = ['-', '+'].map(
    (sign) => new RegExp(`^\\${sign}(.+)$`, 'm').exec(blockAfter('## 4.', 'diff'))?.[1] ?? '',
  )
  const edited = (await project.read(handlersFile)).replace(removed ?? '', added ?? '')
  await savingUntil(project, handlersFile, edited, async () => {
    await page.getByRole('button', { name: 'Reload' }).click()
    return readTitles()
  }).toEqual(['Hamlet', 'Uncle Vanya'])
  expect(navigations.length).toBe(loads)

  const text = `${edited}\n${blockAfter('## 5.', 'ts')}\n`
  await savingUntil(project, handlersFile, text, async () => {
    await page.goto(`${server.origin}/?understudy=broken`)
    return page
      .getByRole('alert')
      .textContent({ timeout: 1000 })
      .catch(() => 'no alert')
  }).toBe('The server answered 503.')
  await page.goto(`${server.origin}/?understudy=empty`)
  await expect.poll(() => page.getByText('No plays.').count()).toBe(1)
  await page.goto(server.origin)
  await expect.poll(readTitles).toEqual(['Hamlet', 'Uncle Vanya'])
  expect(errors).toEqual([])
  await Promise.all([browser.close(), server.stop()])
})

test('the build contains no mocks', async () => {
  const { code, output } = await vite.build(project)
  expect(code, output).toBe(0)
  const build = await readBuild(project)
  expect(build).toContain('The server answered')
  expect(build).not.toMatch(/understudy|hamlet/i)
})
