/** Tests two apps, each with an engine, on one page: module federation with real dev servers. */
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import type { RunningServer } from '../../../test/acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, repository, type Project } from '../../../test/acceptance/project.ts'
import { findPort } from '../../../test/acceptance/run-tool.ts'
import { createVite } from '../../../test/vite/vite.ts'

const vite = createVite('module federation', join(repository, 'sandboxes/module-federation/node_modules/vite'))

let backend: CountingBackend
let browser: Browser
let project: Project
let remote: RunningServer
let host: RunningServer
let visit: Visit

beforeAll(async () => {
  ;[backend, browser, project] = await Promise.all([
    startBackend(),
    launchBrowser(),
    createHeavyProject('module-federation'),
  ])
  const port = await findPort()
  const env = { API_ORIGIN: backend.origin, REMOTE_ORIGIN: `http://localhost:${port}` }
  const start = (app: string, options: object): Promise<RunningServer> =>
    vite.start({ ...project, folder: join(project.folder, app) }, { env, ...options })
  remote = await start('remote', { port })
  host = await start('host', {})
})

afterAll(async () => {
  await Promise.all([browser.close(), remote.stop(), host.stop(), backend.close()])
  await project.dispose()
})

beforeEach(async ({ onTestFailed }) => {
  visit = await openVisit(browser)
  const { console: lines, errors } = visit
  onTestFailed(() => console.error([...lines, ...errors, host.process.output, remote.process.output].join('\n')))
})

afterEach(async () => {
  await visit.close()
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

const main = (): Promise<string> => visit.page.locator('main').innerText()

test.each([1, 2])('after %i visits, the page of the host answers both by its handlers', async (visits) => {
  for (let count = 0; count < visits; count += 1) {
    await visit.page.goto(host.origin)
    await expect.poll(main).toBe('the mock of the remote')
  }
  expect(await visit.page.evaluate('answers')).toEqual({ '/api/host': 'the mock of the host' })
  expect(visit.console.join('\n')).toContain('Mocking is on')
  expect(visit.console.join('\n')).not.toContain('in the page itself')
  expect(visit.errors).toEqual([])
})

test('the remote is mocked on its own page', async () => {
  await visit.page.goto(remote.origin)
  await expect.poll(main).toBe('the mock of the remote')
})

test("an engine of the remote answers next to the host's, until it stops", async () => {
  await visit.page.goto(host.origin)
  await expect.poll(main).toBe('the mock of the remote')
  const answers = await visit.page.evaluate(async () => {
    const { ask, startRemoteEngine } = globalThis as unknown as {
      ask(path: string): Promise<string>
      startRemoteEngine(): Promise<() => void>
    }
    const stop = await startRemoteEngine()
    const both = [await ask('/api/own'), await ask('/api/host'), await ask('/api/remote')]
    stop()
    return [...both, await ask('/api/host')]
  })
  expect(answers).toEqual([
    "the remote's own engine",
    'the mock of the host',
    'the mock of the remote',
    'the mock of the host',
  ])
  expect(await visit.page.evaluate("ask('/api/own')")).toBe('the backend')
  expect(backend.requests).toEqual(['GET /api/own'])
  backend.forget()
})
