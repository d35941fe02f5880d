/** Tests that no library that patches globals lets a request escape or wait forever. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import type { RunningServer } from '../../../test/acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, repository, type Project } from '../../../test/acceptance/project.ts'
import { createVite } from '../../../test/vite/vite.ts'

const vite = createVite('Vite', join(repository, 'sandboxes/patching-libraries/node_modules/vite'))

let backend: CountingBackend
let browser: Browser
let project: Project
let server: RunningServer

beforeAll(async () => {
  ;[backend, browser, project] = await Promise.all([
    startBackend(),
    launchBrowser(),
    createHeavyProject('patching-libraries'),
  ])
  server = await vite.start(project, { env: { API_ORIGIN: backend.origin } })
})
afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})
afterEach(() => {
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

const allMocked = {
  fetch: 'the mock',
  request: 'the mock',
  xhr: 'the mock',
  events: 'the mock',
  socket: 'the mock',
  beacon: true,
}

describe.each(['zone', 'sentry', 'datadog', 'fake-timers'])('%s', (library) => {
  test.each([
    ['before mocking starts, without the plugin', `without-plugin.html#${library}`],
    ['while mocking starts', `#${library},meanwhile`],
    ['when mocking is on', `#${library},later`],
  ])('%s: all requests are answered', async (_when, path) => {
    const visit = await openVisit(browser)
    // The second visit has a service worker from the start.
    for (const reload of [false, true]) {
      await (reload ? visit.page.reload() : visit.page.goto(`${server.origin}/${path}`))
      await expect.poll(() => visit.page.evaluate('globalThis.answers')).toEqual(allMocked)
    }
    expect(visit.errors).toEqual([])
    await visit.close()
  })
})
