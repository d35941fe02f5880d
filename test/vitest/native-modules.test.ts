/** Tests Vitest's option `experimental.viteModuleRunner: false`, with which Node evaluates all modules and Vite none. */

import { afterEach, expect, test } from 'vitest'

import { createProject, savingUntil, type Project } from '../acceptance/project.ts'
import type { ToolProcess } from '../acceptance/run-tool.ts'
import { runVitest, vitest5, watchVitest } from './run-vitest.ts'

/** No server listens at this port. */
const api = 'http://127.0.0.1:9'
const handlersFile = 'src/mocks/handlers.ts'
let project: Project | undefined
let tool: ToolProcess | undefined

afterEach(async () => {
  await tool?.stop()
  tool = undefined
  await project?.dispose()
})

/** An app whose handlers and tests have syntax that only TypeScript has. */
async function createApp(): Promise<Project> {
  return (project = await createProject('test/fixtures/empty', {
    'package.json': '{ "type": "module" }',
    'vitest.config.js': `import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vitest/config'
const project = (name, options) => ({
  plugins: [understudy({ vitest: options })],
  test: { name, include: [\`src/\${name}.test.ts\`], experimental: { viteModuleRunner: false } },
})
export default defineConfig({
  test: { projects: [project('strict', { onUnhandledRequest: 'error' }), project('lenient', { onUnhandledRequest: 'bypass' })] },
})`,
    [handlersFile]: `import { http, HttpResponse, type RequestHandler } from '@understudy/engine'
export const handlers: RequestHandler[] = [http.get('${api}/user', () => HttpResponse.json({ name: 'Ada' }))]
`,
    'src/strict.test.ts': createTests(),
    'src/lenient.test.ts': createTests(),
  }))
}

function createTests(): string {
  return `import { http, HttpResponse } from '@understudy/engine'
import { server } from '@understudy/vite-plugin/vitest'
import { expect, test } from 'vitest'
const readName = async (): Promise<string> => (await (await fetch('${api}/user')).json() as { name: string }).name
test('default', async () => expect(await readName()).toBe('Ada'))
test('override', async () => {
  server.use(http.get('${api}/user', () => HttpResponse.json({ name: 'Grace' })))
  expect(await readName()).toBe('Grace')
})
test('default again', async () => expect(await readName()).toBe('Ada'))
test('unhandled', () => fetch('${api}/missing').catch(() => undefined))
`
}

test('handlers answer, and each project has its own options', async () => {
  const app = await createApp()
  const { tests, messages, output } = await runVitest(app, ['--project=strict'], { cli: vitest5, api })
  const passed = { default: 'passed', override: 'passed', 'default again': 'passed' }
  expect(tests, output).toEqual({ ...passed, unhandled: 'failed' })
  expect(messages['unhandled']).toContain(`No handler matches GET ${api}/missing`)
  const lenient = await runVitest(app, ['--project=lenient'], { cli: vitest5, api })
  expect(lenient.tests, lenient.output).toEqual({ ...passed, unhandled: 'passed' })
})

test('missing and broken handlers fail every file', async () => {
  const app = await createApp()
  await app.write(handlersFile, `${await app.read(handlersFile)}undefinedName()\n`)
  const broken = await runVitest(app, ['--project=strict'], { cli: vitest5, api })
  expect(broken.messages['src/strict.test.ts']).toContain(`Failed to load the handlers of ${handlersFile}`)
  expect(broken.output).toContain(`❯ ${handlersFile}:3:1`)
  await app.remove(handlersFile)
  const missing = await runVitest(app, ['--project=strict'], { cli: vitest5, api })
  expect(missing.messages['src/strict.test.ts']).toContain(
    'Failed to find the handlers: there is no src/mocks/handlers',
  )
})

test('an edit of the handlers runs the tests again', async () => {
  const app = await createApp()
  const watching = watchVitest(app, ['--project=lenient'], { cli: vitest5, api })
  tool = watching
  await watching.untilSaid(/Waiting for file changes/)
  const from = watching.output.length
  const edited = (await app.read(handlersFile)).replace('Ada', 'Eda')
  await savingUntil(app, handlersFile, edited, () => Promise.resolve(watching.output.slice(from))).toMatch(/RERUN/)
  // Vitest prints errors to another stream than its summary, so the order of the two is not known.
  await watching.untilSaid(/Tests failed/, from)
  await expect.poll(() => watching.output.slice(from)).toContain("expected 'Eda' to be 'Ada'")
})
