import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { allMocked, readAnswers } from './first-line.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestPage, TestVisit } from './test-browser.ts'

/** The worker of a progressive web app. It controls every page at once, and records that it is in use. */
const appWorker = `
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/from-the-app-worker')) event.respondWith(new Response('the app worker'))
})
`

/** The same, of an app that asks people before it replaces the worker. */
const waitingWorker = appWorker.replace(/^self.addEventListener\('install'.*\n/m, '')

/** Returns a script that registers a worker, and reports when the worker controls the page. */
const registering = (script: string): string => `<script>
navigator.serviceWorker.register('${script}')
navigator.serviceWorker.addEventListener('controllerchange', () => (window.isControlled = true))
</script>`

/** Returns a document that registers a worker, and that the plugin does not change, because it is not HTML. */
const registeringUnmocked = (script: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg">${registering(script)}</svg>`

/** Chromium ends a worker after 30 s without events, in milliseconds and with a margin. */
const idleTime = 35_000

/**
 * Updates the worker of a page, and waits until the new one is active.
 *
 * Chromium asks the active worker to end. If a request or a message arrives meanwhile, it starts that worker again, and replaces it only after 30 s
 * without events. It never takes a worker as idle that a debugger watches, and Playwright watches all of them. So the test ends the
 * worker then.
 */
async function update({ page, endWorkers }: TestVisit, { name }: BrowserDriver): Promise<void> {
  const readStates = (): Promise<string> =>
    page.evaluate(async () => {
      const { installing, waiting, active } = await navigator.serviceWorker.ready
      return [installing, waiting, active].map((worker) => worker?.state ?? 'none').join()
    })
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update().then(() => undefined))
  const end = performance.now() + idleTime
  while (name === 'Chromium' && (await readStates()) !== replaced) {
    if (performance.now() > end) {
      await endWorkers()
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await expect.poll(readStates, { timeout: 30_000 }).toBe(replaced)
}

/** The states of the installing, the waiting and the active worker after an update. */
const replaced = 'none,none,activated'

/**
 * Waits until the active worker controls a page: Firefox sends requests of the milliseconds before that to the network. A page that loads
 * while Firefox replaces the worker keeps the earlier one, which is gone.
 */
async function untilControlled(page: TestPage): Promise<void> {
  const isControlled = (): Promise<boolean> =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).active === navigator.serviceWorker.controller)
  await expect.poll(isControlled, { timeout: 30_000 }).toBe(true)
}

/** Tests foreign service workers. Only one worker can control a page. */
export function testForeignWorkers(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, foreign service workers`, () => {
    let visit: TestVisit
    let page: TestPage

    const served = serveProject(tool, {
      launch: () => driver.launch(),
      fixture: 'test/fixtures/first-line',
      files: {
        'public/sw.js': appWorker,
        'public/sharing-sw.js': `importScripts('/understudy-worker.js')\n${appWorker}`,
        'public/former-sw.js': `importScripts('/understudy-worker.js')\n${appWorker}`,
        'public/waiting-sw.js': `importScripts('/understudy-worker.js')\n${waitingWorker}`,
        'public/mockServiceWorker.js': appWorker,
        'public/with-sw.html': `<!doctype html><link rel="icon" href="data:,">${registering('/sw.js')}`,
        ...Object.fromEntries(
          ['sw', 'sharing-sw', 'waiting-sw', 'former-sw', 'mockServiceWorker'].map((name) => [
            `public/with-${name}.svg`,
            registeringUnmocked(`/${name}.js`),
          ]),
        ),
      },
    })

    beforeEach(async ({ onTestFailed }) => {
      visit = await served.browser.openVisit()
      const { console: lines } = visit
      onTestFailed(() => console.error(lines.join('\n')))
      page = visit.page
    })

    afterEach(async () => {
      await visit.close()
      const escaped = served.backend.requests.filter((request) => request !== 'GET /api/image')
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    /** Registers a worker, as on a visit before the plugin was added. */
    async function registerBefore(name: string): Promise<void> {
      await page.goto(`${served.server.origin}/with-${name}.svg`)
      await page.waitForFunction('globalThis.isControlled')
      await page.goto('about:blank')
    }

    const registeredScripts = (on = page): Promise<unknown> =>
      on.evaluate(async () => {
        const registrations = await navigator.serviceWorker.getRegistrations()
        return registrations.map(({ active }) => active && new URL(active.scriptURL).pathname)
      })

    const saysAppWorker = (on = page): Promise<string> =>
      on.evaluate(async () => (await fetch('/from-the-app-worker')).text())

    const inPageLines = (): string[] => visit.console.filter((line) => line.includes('in the page itself'))

    test('the app’s worker stays, the page itself answers, and the console says how to share it', async () => {
      await registerBefore('sw')
      await page.goto(served.server.origin)
      expect(await readAnswers(page)).toEqual({ ...allMocked, image: 'error' })
      expect(inPageLines()).toEqual([
        expect.stringContaining(
          `because it has another service worker (${served.server.origin}/sw.js). ` +
            'To share that one, begin its script with importScripts("/understudy-worker.js").',
        ),
      ])
      expect(await registeredScripts()).toEqual(['/sw.js'])
      expect(await saysAppWorker()).toBe('the app worker')
    })

    test('a worker that imports Understudy’s is shared, and stays when mocking is off', async ({ onTestFinished }) => {
      // Also after a failure: other tests use the server.
      onTestFinished(async () => {
        await served.server.stop()
        await tool.configure(served.project, { api: served.backend.origin })
        served.server = await tool.start(served.project, { port: served.server.port })
      })
      await registerBefore('sharing-sw')
      await page.goto(served.server.origin)
      expect(await readAnswers(page)).toEqual(allMocked)
      expect(inPageLines()).toEqual([])
      expect(await registeredScripts()).toEqual(['/sharing-sw.js'])
      expect(await saysAppWorker()).toBe('the app worker')

      // An edited script of the app's worker imports Understudy's again.
      const script = await served.project.read('public/sharing-sw.js')
      await served.project.write('public/sharing-sw.js', `${script}// edited\n`)
      await update(visit, driver)
      await untilControlled(page)
      await page.reload()
      expect(await readAnswers(page)).toEqual(allMocked)
      expect(await registeredScripts()).toEqual(['/sharing-sw.js'])

      // Otherwise, the page would reload when the server is back.
      await page.goto('about:blank')
      await served.server.stop()
      await tool.configure(served.project, { api: served.backend.origin, plugin: { enabled: false } })
      served.server = await tool.start(served.project, { port: served.server.port })
      const next = await visit.profile.openPage()
      await next.page.goto(served.server.origin)
      // Until all requests of the page have arrived. Otherwise, late ones would look like escaped ones.
      const arrived = (): string[] => served.backend.requests.map((request) => request.replace(/^.*\//, '')).toSorted()
      await expect.poll(arrived).toEqual(Object.keys(allMocked).toSorted())
      // The browser finds a new version that no longer imports Understudy's worker.
      await update(next, driver)
      // It may have done so while the page loaded.
      await next.page.reload()
      await expect.poll(arrived).toHaveLength(2 * Object.keys(allMocked).length)
      expect(await registeredScripts(next.page)).toEqual(['/sharing-sw.js'])
      expect(await saysAppWorker(next.page)).toBe('the app worker')
      served.backend.forget()
    })

    test('a worker that imports Understudy’s waits until the app replaces the active one', async () => {
      await registerBefore('waiting-sw')
      await page.goto(served.server.origin)
      expect(await readAnswers(page)).toEqual(allMocked)
      const script = await served.project.read('public/waiting-sw.js')
      await served.project.write('public/waiting-sw.js', `${script}// edited\n`)
      const waits = `navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)`
      await page.evaluate(() => navigator.serviceWorker.ready.then((registration) => void registration.update()))
      await expect.poll(() => page.evaluate(waits)).toBe(true)
      await page.reload()
      expect(await readAnswers(page)).toEqual(allMocked)
      // A worker that pages ask to replace the active one tries again after a second.
      await new Promise((resolve) => setTimeout(resolve, 2000))
      expect(await page.evaluate(waits)).toBe(true)
    })

    test('if a worker no longer imports Understudy’s, all open pages answer themselves, and no request escapes', async () => {
      await registerBefore('former-sw')
      await page.goto(served.server.origin)
      expect(await readAnswers(page)).toEqual(allMocked)
      const next = await visit.profile.openPage()
      await next.page.goto(served.server.origin)
      expect(await readAnswers(next.page)).toEqual(allMocked)
      await served.project.write('public/former-sw.js', `${appWorker}// no importScripts\n`)
      await update(next, driver)
      for (const open of [page, next.page]) await untilControlled(open)
      for (const open of [page, next.page]) {
        expect(await open.evaluate(async () => (await fetch('/api/late')).json())).toEqual({ from: 'the mock' })
      }
      // By the script, the page could not know this at once.
      expect(inPageLines()).toEqual([
        expect.stringContaining(
          `because it has another service worker (${served.server.origin}/former-sw.js). ` +
            'To share that one, begin its script with importScripts("/understudy-worker.js").',
        ),
      ])
    })

    test('two workers are active at the same time, each with its own scope', async ({ onTestFinished }) => {
      await served.server.stop()
      await tool.configure(served.project, { api: served.backend.origin, plugin: { worker: { scope: '/nested/' } } })
      served.server = await tool.start(served.project, { port: served.server.port })
      onTestFinished(async () => {
        await served.server.stop()
        await tool.configure(served.project, { api: served.backend.origin })
        served.server = await tool.start(served.project, { port: served.server.port })
      })
      await registerBefore('sw')
      await page.goto(`${served.server.origin}/nested/`)
      expect(await readAnswers(page), inPageLines().join()).toEqual(allMocked)
      expect(inPageLines()).toEqual([])
      expect((await registeredScripts()) as string[]).toHaveLength(2)
      expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(
        `${served.server.origin}/understudy-worker.js`,
      )
      // A page of the other scope has the app's worker as before.
      await page.goto(`${served.server.origin}/with-sw.html`)
      expect(await saysAppWorker()).toBe('the app worker')
    })

    test('the worker of MSW is replaced, and the console says so', async () => {
      await registerBefore('mockServiceWorker')
      await page.goto(served.server.origin)
      expect(await readAnswers(page)).toEqual(allMocked)
      expect(visit.console.join('\n')).toContain(
        `The service worker of MSW (${served.server.origin}/mockServiceWorker.js) is replaced. You can delete its file.`,
      )
      await expect.poll(() => registeredScripts()).toEqual(['/understudy-worker.js'])
    })

    test('a worker that the app registers later controls the page, and no request escapes', async () => {
      await page.goto(served.server.origin)
      expect(await readAnswers(page)).toEqual(allMocked)
      // Not earlier: Chromium does not replace a busy worker.
      await page.evaluate(() => {
        const loop = async (): Promise<string[]> => {
          const seen = new Set<string>()
          for (let count = 0; count < 200; count += 1) {
            seen.add(((await (await fetch('/api/loop')).json()) as { from: string }).from)
          }
          return [...seen]
        }
        navigator.serviceWorker.addEventListener('controllerchange', () => Object.assign(globalThis, { loop: loop() }))
        return navigator.serviceWorker.register('/sw.js').then(() => undefined)
      })
      await expect
        .poll(inPageLines)
        .toEqual([expect.stringContaining(`another service worker (${served.server.origin}/sw.js)`)])
      expect(await page.evaluate('globalThis.loop')).toEqual(['the mock'])
      expect(await saysAppWorker()).toBe('the app worker')
    })

    test('if code of the app still starts MSW, the console says to remove it', async () => {
      await page.goto(served.server.origin)
      expect(await readAnswers(page)).toEqual(allMocked)
      await page.evaluate(() => navigator.serviceWorker.register('/mockServiceWorker.js').then(() => undefined))
      await expect
        .poll(inPageLines)
        .toEqual([
          expect.stringContaining(
            `another service worker (${served.server.origin}/mockServiceWorker.js). ` +
              'It is that of MSW. Remove the code that starts it, such as worker.start() of msw/browser.',
          ),
        ])
    })
  })
}
