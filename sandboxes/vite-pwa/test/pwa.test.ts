/** Tests a progressive web app whose own service worker, created by Workbox, has the scope that the plugin's worker needs. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import type { RunningServer } from '../../../test/acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createHeavyProject, repository, type Project } from '../../../test/acceptance/project.ts'
import { createVite } from '../../../test/vite/vite.ts'

const vite = createVite('vite-plugin-pwa', join(repository, 'sandboxes/vite-pwa/node_modules/vite'))

let backend: CountingBackend
let browser: Browser
let project: Project
let server: RunningServer
let visit: Visit

beforeAll(async () => {
  ;[backend, browser, project] = await Promise.all([startBackend(), launchBrowser(), createHeavyProject('vite-pwa')])
})
afterAll(async () => {
  await Promise.all([browser.close(), backend.close()])
  await project.dispose()
})

/** Starts the dev server, and visits it until the app's own worker controls the page. */
async function start(): Promise<void> {
  server = await vite.start(project, { env: { API_ORIGIN: backend.origin } })
  visit = await openVisit(browser)
  await visit.page.goto(server.origin)
  await expect.poll(controller).toMatch(/\/dev-sw\.js\?dev-sw$/)
}

afterEach(async () => {
  await visit.close()
  await server.stop()
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

const controller = (): Promise<unknown> =>
  visit.page.evaluate('navigator.serviceWorker.controller?.scriptURL').catch(() => undefined)

const workers = (): Promise<unknown> =>
  visit.page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations()
    return registrations.map(({ active }) => active && new URL(active.scriptURL).pathname)
  })

/** The files that Workbox has stored for the page. */
const caches = (): Promise<string[]> => visit.page.evaluate(async () => globalThis.caches.keys())

async function expectMocked(): Promise<void> {
  await expect.poll(() => visit.page.locator('main').innerText()).toBe('the mock')
  expect(await visit.page.evaluate("ask('/api/user')")).toBe('the mock')
  expect(await controller()).toMatch(/\/dev-sw\.js\?dev-sw$/)
  expect(await workers()).toEqual(['/dev-sw.js'])
  expect((await caches()).join()).toContain('workbox-precache')
}

describe('with the default configuration', () => {
  test('the page itself answers, the app keeps its worker, and the console says how to share it', async () => {
    await start()
    await expectMocked()
    const { close } = visit
    visit = { ...(await openPage(visit.context)), close }
    await visit.page.goto(server.origin)
    await expectMocked()
    const said = visit.console.filter((line) => line.includes('in the page itself'))
    expect(said).toEqual([
      expect.stringContaining(
        `because it has another service worker (${server.origin}/dev-sw.js?dev-sw). ` +
          'To share that one, begin its script with importScripts("/understudy-worker.js").',
      ),
    ])
    expect(visit.errors).toEqual([])
  })
})

describe('with a worker that imports the plugin’s', () => {
  const shared = `workbox: { importScripts: process.env.NODE_ENV === 'development' ? ['/understudy-worker.js'] : [] },`

  test('it answers images too', async () => {
    expect(await readFile(join(repository, 'docs/vite.md'), 'utf8')).toContain(shared)
    await project.edit('vite.config.js', 'devOptions: { enabled: true },', `devOptions: { enabled: true }, ${shared}`)
    await start()
    const { close } = visit
    visit = { ...(await openPage(visit.context)), close }
    await visit.page.goto(server.origin)
    await expectMocked()
    const width = await visit.page.evaluate(async () => {
      const image = Object.assign(new Image(), { src: '/api/image' })
      await image.decode()
      return image.naturalWidth
    })
    expect(width).toBe(7)
    expect(visit.console.join('\n')).not.toContain('in the page itself')
    expect(visit.errors).toEqual([])
  })

  test('its build does not import it', async () => {
    const { code, output } = await vite.build(project)
    expect(code, output).toBe(0)
    const script = await project.read('dist/sw.js')
    expect(script).toContain('precache')
    expect(script).not.toContain('understudy')
  })
})
