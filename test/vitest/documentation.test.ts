import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, expect, test } from 'vitest'

import { createProject, repository, type Project } from '../acceptance/project.ts'
import { readExamples } from '../docs/read-examples.ts'
import { findForTest } from '../find-chromium.ts'
import { runVitest, vitest5 } from './run-vitest.ts'

/** No server listens at this port. */
const api = 'http://127.0.0.1:9'
let project: Project | undefined

afterEach(() => project?.dispose())

/** An app that consists of the examples of a page. */
async function createApp(page: string): Promise<{ app: Project; testFiles: string[] }> {
  const { examples } = readExamples(await readFile(join(repository, page), 'utf8'), page)
  const files = examples.map(({ file = '', code }) => [file, code] as const)
  expect(files.filter(([file]) => file === '')).toEqual([])
  const app = await createProject('test/fixtures/empty', Object.fromEntries(files))
  project = app
  return { app, testFiles: files.map(([file]) => file).filter((file) => file.includes('.test.')) }
}

test.each(['docs/vitest.md', 'docs/testing-library.md', 'docs/tutorial.md'])(
  'the examples of %s pass',
  async (page) => {
    const { app, testFiles } = await createApp(page)
    const { code, output } = await runVitest(app, [], { cli: vitest5, api })
    expect(code, output).toBe(0)
    expect(testFiles.length).toBeGreaterThan(0)
    for (const file of testFiles) expect(output).toContain(file)
  },
)

test('the examples of docs/scenarios.md pass', async () => {
  const { app } = await createApp('docs/scenarios.md')
  const { examples } = readExamples(await readFile(join(repository, 'docs/vitest.md'), 'utf8'), 'docs/vitest.md')
  const configuration = examples.find(({ file }) => file === 'vitest.config.ts')
  await app.write('vitest.config.ts', configuration?.code ?? '')
  const { code, output, tests } = await runVitest(app, [], { cli: vitest5, api })
  expect(code, output).toBe(0)
  expect(Object.values(tests)).toEqual(['passed', 'passed'])
})

test('those without concurrent tests pass in a browser, too', async () => {
  const { app, testFiles } = await createApp('docs/vitest.md')
  const path = findForTest()
  const launchOptions = { ...(path && { executablePath: path }), args: ['--no-sandbox', '--disable-quic'] }
  await app.edit('vitest.browser.config.ts', 'playwright()', `playwright(${JSON.stringify({ launchOptions })})`)
  const inNode = testFiles.filter((file) => /concurrent|boundary/.test(file))
  const args = ['--config=vitest.browser.config.ts', ...inNode.map((file) => `--exclude=${file}`)]
  const { code, output } = await runVitest(app, args, { cli: vitest5, api })
  expect(code, output).toBe(0)
  expect(output).toContain(`${testFiles.length - inNode.length} passed`)
})

test('an unhandled request is reported as on the page', async () => {
  const { app } = await createApp('docs/vitest.md')
  const markdown = await readFile(join(repository, 'docs/vitest.md'), 'utf8')
  const shown = markdown.split('\n FAIL ')[1]?.split('\n```')[0] ?? 'nothing'
  await app.edit('src/user.ts', '/user/', '/usr/')
  const { output } = await runVitest(app, ['src/user.test.ts'], { cli: vitest5, api })
  expect(output.replaceAll(app.folder, '/app')).toContain(shown.trimEnd())
})
