import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createProject, repository, type Project } from '../acceptance/project.ts'
import { readExamples } from '../docs/read-examples.ts'
import { findChromium } from '../find-chromium.ts'
import { runVitest, vitest5 } from './run-vitest.ts'

/** Nobody listens there. */
const api = 'http://127.0.0.1:9'
let project: Project
let testFiles: string[]

/** An app that consists of the examples of docs/vitest.md. */
beforeAll(async () => {
  const markdown = await readFile(join(repository, 'docs/vitest.md'), 'utf8')
  const { examples } = readExamples(markdown, 'docs/vitest.md')
  const files = examples.map(({ file = '', code }) => [file, code] as const)
  expect(files.filter(([file]) => file === '')).toEqual([])
  testFiles = files.map(([file]) => file).filter((file) => file.includes('.test.'))
  project = await createProject('test/fixtures/empty', Object.fromEntries(files))
})
afterAll(() => project.dispose())

test('the examples pass', async () => {
  const { code, output } = await runVitest(project, [], { cli: vitest5, api })
  expect(code, output).toBe(0)
  for (const file of testFiles) expect(output).toContain(file)
})

test('those without concurrent tests pass in a browser, too', async () => {
  const path = findChromium()?.path
  const launchOptions = { ...(path && { executablePath: path }), args: ['--no-sandbox', '--disable-quic'] }
  await project.edit('vitest.browser.config.ts', 'playwright()', `playwright(${JSON.stringify({ launchOptions })})`)
  const inNode = testFiles.filter((file) => /concurrent|boundary/.test(file))
  const args = ['--config=vitest.browser.config.ts', ...inNode.map((file) => `--exclude=${file}`)]
  const { code, output } = await runVitest(project, args, { cli: vitest5, api })
  expect(code, output).toBe(0)
  expect(output).toContain(`${testFiles.length - inNode.length} passed`)
})

test('an unhandled request is told of as the page shows', async () => {
  const shown =
    (await readFile(join(repository, 'docs/vitest.md'), 'utf8')).split('\n FAIL ')[1]?.split('\n```')[0] ?? ''
  await project.edit('src/user.ts', '/user/', '/usr/')
  const { output } = await runVitest(project, ['src/user.test.ts'], { cli: vitest5, api })
  expect(output.replaceAll(project.folder, '/app')).toContain(shown.trimEnd())
})
