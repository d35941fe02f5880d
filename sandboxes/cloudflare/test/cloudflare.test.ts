/** Tests a page whose Cloudflare worker runs in `workerd`, another runtime, in which the handlers do not answer. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import type { RunningServer } from '../../../test/acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, repository, type Project } from '../../../test/acceptance/project.ts'
import { createVite } from '../../../test/vite/vite.ts'

const vite = createVite('@cloudflare/vite-plugin', join(repository, 'sandboxes/cloudflare/node_modules/vite'))

let backend: CountingBackend
let browser: Browser
let project: Project
let server: RunningServer

beforeAll(async () => {
  ;[backend, browser] = await Promise.all([startBackend(), launchBrowser()])
  project = await createHeavyProject('cloudflare', { '.dev.vars': `API=${backend.origin}` })
  server = await vite.start(project, { env: { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' } })
})
afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

test('the terminal says once that the handlers do not answer there', async () => {
  await server.process.untilSaid(/US0809/)
  const said = server.process.output.split('\n').filter((line) => line.includes('US0809'))
  expect(said).toEqual([
    expect.stringContaining(
      'Failed to mock requests from the environment "harbour": its code runs in another process or runtime. Run the handlers as a server, and send the requests to it.',
    ),
  ])
})

test('requests of the page are mocked, and those of its worker reach the network', async () => {
  const visit = await openVisit(browser)
  await visit.page.goto(server.origin)
  await expect.poll(() => visit.page.locator('#page').innerText()).toBe('the mock')
  await expect.poll(() => visit.page.locator('#worker').innerText()).toBe('the backend')
  await visit.close()
})

test('the dev server’s own requests to the other runtime are not mocked, and not reported', async () => {
  const response = await fetch(`${server.origin}/from-worker`)
  expect(await response.json()).toEqual({ text: 'the backend' })
  expect(server.process.output).not.toContain('No handler matches')
  expect(server.process.output).not.toContain('(ssr) connected')
})
