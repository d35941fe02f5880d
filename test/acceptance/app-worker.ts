import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { serveScripts, type ScriptServer } from '../vite/script-server.ts'
import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { createProject, type Project } from './project.ts'
import { waitUntil, type BrowserDriver, type TestBrowser, type TestVisit } from './test-browser.ts'

/** The worker of an app. It controls every page at once, and answers one path. */
const appWorker = `
  self.addEventListener('install', () => self.skipWaiting())
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
  self.addEventListener('fetch', (event) => {
    if (event.request.url.endsWith('/from-the-app-worker')) event.respondWith(new Response('the app worker'))
  })`

/** Registers the app's worker in the first script of the page, and records when Understudy registers its worker. */
const registering = `{
  const { register } = ServiceWorkerContainer.prototype
  ServiceWorkerContainer.prototype.register = function (url, options) {
    const result = register.call(this, url, options)
    if (String(url).includes('understudy-worker')) globalThis.isRegistering = true
    return result
  }
  globalThis.registered = navigator.serviceWorker.register('/api/scripts/app', { scope: '/' })
}`

/** Makes the object of Understudy's worker dead, as Firefox does (decision 57), while the app registers its worker. */
const killing = `{
  const { getRegistrations } = ServiceWorkerContainer.prototype
  ServiceWorkerContainer.prototype.getRegistrations = async function () {
    const found = await getRegistrations.call(this)
    const ours = found.find(({ active }) => active?.scriptURL.includes('understudy-worker'))
    if (ours) {
      Object.defineProperty(ours.active, 'state', { value: 'redundant' })
      globalThis.isRegistering = true
    }
    return found
  }
  if (navigator.serviceWorker.controller) {
    globalThis.registered = navigator.serviceWorker.register('/api/scripts/app', { scope: '/' })
  }
}`

/** Tests that the service worker of an app is never replaced, even if both are registered at the same time. */
export function testAppWorker(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, when the app registers its own service worker`, () => {
    let browser: TestBrowser
    let project: Project
    let scripts: ScriptServer
    let server: RunningServer
    let page: string

    beforeAll(async () => {
      ;[browser, project, scripts] = await Promise.all([
        driver.launch(),
        createProject('test/fixtures/first-line'),
        serveScripts(),
      ])
      await tool.configure(project, { api: scripts.origin })
      page = await project.read('index.html')
      server = await tool.start(project)
    })
    afterAll(async () => {
      await Promise.all([browser.close(), server.stop(), scripts.close()])
      await project.dispose()
    })

    async function expectAppWorker({ page: tab, console: lines }: TestVisit): Promise<void> {
      await waitUntil(tab, `navigator.serviceWorker.controller?.scriptURL.endsWith('/api/scripts/app')`)
      await expect
        .poll(() => lines.filter((line) => line.includes('in the page itself')))
        .toEqual([expect.stringContaining(`another service worker (${server.origin}/api/scripts/app)`)])
      const seen = await tab.evaluate(`(async () => {
        const registrations = await navigator.serviceWorker.getRegistrations()
        return [
          await (await fetch('/from-the-app-worker')).text(),
          (await (await fetch('/api/later')).json()).from,
          ...registrations.flatMap(({ active, waiting, installing }) => [active, waiting, installing])
            .filter((worker) => worker)
            .map(({ scriptURL }) => new URL(scriptURL).pathname),
        ]
      })()`)
      expect(seen).toEqual(['the app worker', 'the mock', '/api/scripts/app'])
    }

    test('it stays if its registration has begun before, and the page itself answers', async () => {
      await project.write('index.html', page.replace('<script>', `<script>${registering}</script><script>`))
      const release = scripts.hold('app', appWorker)
      const visit = await browser.openVisit()
      await visit.page.goto(server.origin)
      await waitUntil(visit.page, 'globalThis.isRegistering')
      release()
      await expectAppWorker(visit)
      await visit.close()
    })

    test('it stays if its registration has begun before that of a worker whose object is dead', async () => {
      await project.write('index.html', page.replace('<script>', `<script>${killing}</script><script>`))
      const profile = await browser.createProfile()
      const first = await profile.openPage()
      await first.page.goto(server.origin)
      await waitUntil(first.page, 'navigator.serviceWorker.controller')
      await first.close()
      const release = scripts.hold('app', appWorker)
      const visit = await profile.openPage()
      await visit.page.goto(server.origin)
      await waitUntil(visit.page, 'globalThis.isRegistering')
      release()
      await expectAppWorker(visit)
      await profile.close()
    })
  })
}
