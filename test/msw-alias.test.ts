/** Tests a project that imports from "msw", with an alias for `@understudy/msw` in the configuration of its tool. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from './acceptance/browser.ts'
import { startPageServer } from './acceptance/page-server.ts'
import { createProject, repository, type Project } from './acceptance/project.ts'
import { runVitest, vitest5 } from './vitest/run-vitest.ts'

const run = promisify(execFile)

const files = {
  'package.json': '{ "type": "module" }',
  'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
  'main.js': `
import { delay, http, HttpResponse } from 'msw'
import { setupWorker } from 'msw/browser'

const worker = setupWorker(
  http.get('/user', async () => {
    await delay(1)
    return HttpResponse.json({ name: 'Ada' })
  }),
)
const registration = await worker.start({ onUnhandledRequest: 'bypass' })
const user = await (await fetch('/user')).json()
const script = new URL(registration.active.scriptURL).pathname
document.title = JSON.stringify([user, script, navigator.serviceWorker.controller !== null])
`,
  'vite.config.js': `export default { resolve: { alias: { msw: '@understudy/msw' } } }`,
  'webpack.config.js': `
import HtmlPlugin from 'html-webpack-plugin'
export default {
  mode: 'development',
  entry: './main.js',
  output: { path: import.meta.dirname + '/dist' },
  plugins: [new HtmlPlugin({ scriptLoading: 'module' })],
  resolve: { alias: { msw: '@understudy/msw' } },
}
`,
  'vitest.config.js': `export default { test: { alias: { msw: '@understudy/msw' } } }`,
  'user.test.js': `
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'

const server = setupServer(http.get('https://api.example.com/user', () => HttpResponse.json({ name: 'Ada' })))
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('a mocked request', async () => {
  expect(await (await fetch('https://api.example.com/user')).json()).toEqual({ name: 'Ada' })
})
`,
}

let browser: Browser
let project: Project
beforeAll(async () => {
  ;[browser, project] = await Promise.all([launchBrowser(), createProject('test/fixtures/empty', files)])
  const init = ['packages/msw/bin/msw.js', 'init', join(project.folder, 'dist')]
  await run(process.execPath, init, { cwd: repository })
})
afterAll(async () => {
  await browser.close()
  await project.dispose()
})

test.each([
  ['Vite', 'vite/bin/vite.js', ['build', '--emptyOutDir', 'false', '--target', 'esnext']],
  ['webpack', 'webpack-cli/bin/cli.js', ['build']],
])('%s: `resolve.alias`, with the service worker that `msw init` copied', async (_name, cli, args) => {
  await run(process.execPath, [join(repository, 'node_modules', cli), ...args], { cwd: project.folder })
  const server = await startPageServer({
    api: 'http://127.0.0.1:1',
    files: { folder: join(project.folder, 'dist'), base: '/' },
  })
  const visit = await openVisit(browser)
  await visit.page.goto(`${server.origin}/index.html`)
  await expect
    .poll(() => visit.page.title(), { message: visit.console.join('\n') })
    .toBe(JSON.stringify([{ name: 'Ada' }, '/mockServiceWorker.js', true]))
  expect(visit.errors).toEqual([])
  await visit.close()
  await server.close()
})

test('Vitest: `test.alias`', async () => {
  const { tests, output } = await runVitest(project, [], { cli: vitest5, api: 'http://127.0.0.1:1' })
  expect(tests, output).toEqual({ 'a mocked request': 'passed' })
})
