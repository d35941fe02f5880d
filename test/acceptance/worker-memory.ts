import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { chromium } from './chromium.ts'
import { backendAnswer } from './counting-backend.ts'
import { get as getOn, servePlain } from './serve-plain.ts'
import type { BrowserDriver, TestBrowser, TestPage, TestVisit } from './test-browser.ts'

const files = {
  'public/empty.html': '<!doctype html><title>Empty</title><link rel="icon" href="data:," />',
  'public/early-module.js': 'export {}',
  'public/shared-worker.js':
    'onconnect = ({ ports: [port] }) => { port.onmessage = async ({ data }) => {' +
    ' port.postMessage(await fetch(data).then((r) => r.json(), (e) => e.name)) } }',
}

const mocked = { from: 'the mock' }

/**
 * A busy page blocks a service worker in its process, which then gets no request. Firefox uses up to four processes for
 * an origin with several tabs, and starts a service worker in any of them. There, `clients.matchAll()` waits for busy
 * pages (3 of 4 s in Firefox 153). So these tests do not fail with a worker that waits for a limited time. They fail with
 * one that sends the requests of unknown pages to the network.
 */
const processesInFirefox = 4

/** Tests a service worker that the browser has ended and restarted: it has no state, but no request escapes. */
export function testWorkerMemory(driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, a service worker that the browser has ended`, () => {
    const fixture = servePlain(files)
    let browser: TestBrowser
    let visit: TestVisit
    let page: TestPage

    beforeAll(async () => {
      browser = await driver.launch({ endsWorkers: true })
    })
    afterAll(() => browser.close())

    beforeEach(async () => {
      visit = await browser.openVisit()
      page = visit.page
      await startMocking(page, 'the mock')
    })
    afterEach(() => visit.close())

    /** Opens the fixture's page and starts mocking `/api/user`. */
    async function startMocking(on: TestPage, from: string): Promise<void> {
      await on.goto(fixture.origin)
      await on.waitForFunction('isReady')
      await on.evaluate(async (text) => {
        const { http, HttpResponse } = engine
        globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.json({ from: text })))
        await worker.start()
      }, from)
    }

    const get = (path: string, on = page): Promise<unknown> => getOn(path, on)

    /** Makes a GET request in a dedicated worker of the page. */
    function getByWorker(path: string, on: TestPage = page): Promise<unknown> {
      return on.evaluate(
        (url) =>
          new Promise((resolve) => {
            const state = globalThis as { asking?: Worker }
            const asking = (state.asking ??= new Worker('/asking-worker.js'))
            asking.addEventListener('message', ({ data }) => resolve(data), { once: true })
            asking.postMessage(url)
          }),
        path,
      )
    }

    test('an app that deletes all storage of its origin stays mocked', async () => {
      await page.evaluate(async () => {
        for (const name of await caches.keys()) await caches.delete(name)
        for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
        localStorage.clear()
      })
      await visit.endWorkers()
      expect(await get('/api/user')).toEqual(mocked)
      expect(await get('/api/other')).toEqual(backendAnswer)
      expect(fixture.backend.requests).toEqual(['GET /api/other'])
    })

    test('a worker that ends right after the start of mocking finds the page, although the browser granted the lock late', async () => {
      await page.addInitScript(() => {
        const { locks } = navigator
        const { request } = LockManager.prototype as unknown as { request(...args: unknown[]): Promise<unknown> }
        locks.request = async (...args: unknown[]): Promise<never> => {
          await new Promise((resolve) => setTimeout(resolve, 1000))
          return request.apply(locks, args) as Promise<never>
        }
      })
      await startMocking(page, 'the mock')
      await visit.endWorkers()
      expect(await get('/api/user')).toEqual(mocked)
      expect(fixture.backend.requests).toEqual([])
    })

    test('requests of a page and of its web worker wait for the page that is too busy to answer', async () => {
      expect(await getByWorker('/api/user')).toEqual(mocked)
      const isFirefox = driver.name === 'Firefox'
      for (let tab = 1; tab < (isFirefox ? processesInFirefox : 1); tab += 1) {
        const { page: other } = await visit.profile.openPage()
        await other.goto(`${fixture.origin}/empty.html`)
      }
      // Once or, in Firefox, until the worker was probably in another process: in 15 of 16 runs.
      for (let round = 0; round < (isFirefox ? 2 : 1); round += 1) {
        await visit.endWorkers()
        const answers = await page.evaluate(async () => {
          const { asking } = globalThis as { asking?: Worker }
          const answered = new Promise((resolve) => {
            asking?.addEventListener('message', ({ data }) => resolve(data), { once: true })
          })
          const response = fetch('/api/user', { method: 'GET' })
          asking?.postMessage('/api/user')
          // Longer than all other time-outs of the worker.
          const end = performance.now() + 4500
          await Promise.resolve()
          while (performance.now() < end);
          return [(await (await response).json()) as unknown, await answered]
        })
        expect(answers).toEqual([mocked, mocked])
        expect(fixture.backend.requests).toEqual([])
      }
    })

    test('requests of a page without an engine are not intercepted, even next to a page that mocks', async () => {
      const other = await visit.profile.openPage()
      await other.page.goto(`${fixture.origin}/empty.html`)
      await visit.endWorkers()
      expect(await get('/api/user', other.page)).toEqual(backendAnswer)
      expect(await get('/api/user')).toEqual(mocked)
    })

    describe('two pages with different handlers', () => {
      let other: TestVisit
      beforeEach(async () => {
        other = await visit.profile.openPage()
        await startMocking(other.page, 'the other page')
      })

      test('each page answers its own web workers with blob: URLs', async () => {
        const create = (kind: 'Worker' | 'SharedWorker', on: TestPage): Promise<unknown> =>
          on.evaluate(`(() => {
            const code = "const ask = (port) => { port.onmessage = () => fetch('" + location.origin + "/api/user')" +
              ".then((response) => response.json()).then(({ from }) => port.postMessage(from)) };" +
              "self.onconnect = ({ ports: [port] }) => ask(port); if (self.postMessage) ask(self)"
            const created = new ${kind}(URL.createObjectURL(new Blob([code])))
            globalThis.port = created.port ?? created
          })()`)
        const ask = (on: TestPage): Promise<unknown> =>
          on.evaluate(`new Promise((resolve) => {
            port.onmessage = ({ data }) => resolve(data)
            port.postMessage('')
          })`)
        for (const kind of ['Worker', 'SharedWorker'] as const) {
          for (const on of [page, other.page]) await create(kind, on)
          for (const isRestarted of [false, true]) {
            if (isRestarted) await visit.endWorkers()
            expect([await ask(page), await ask(other.page)]).toEqual(['the mock', 'the other page'])
          }
        }
        expect(fixture.backend.requests).toEqual([])
      })

      test('each page answers its own web workers', async () => {
        expect(await getByWorker('/api/user')).toEqual(mocked)
        expect(await getByWorker('/api/user', other.page)).toEqual({ from: 'the other page' })
        await visit.endWorkers()
        expect(await getByWorker('/api/user', other.page)).toEqual({ from: 'the other page' })
        expect(await getByWorker('/api/user')).toEqual(mocked)
        expect(fixture.backend.requests).toEqual([])
      })

      const inOneProcess = driver.name !== 'Chromium'
      // Firefox: pages of an origin may share a process, which is busy as a whole. `skipIf` opens no pages for a test that is skipped.
      test.skipIf(inOneProcess)(
        'no request waits for a page that does not respond if another page can answer',
        async () => {
          // A dedicated worker from a blob URL. The service worker does not know its page, so any page may answer its
          // requests.
          const ask = (): Promise<unknown> =>
            page.evaluate(
              (url) =>
                new Promise((resolve) => {
                  const code = `fetch(${JSON.stringify(url)}).then((r) => r.json()).then(postMessage)`
                  const asking = new Worker(URL.createObjectURL(new Blob([code])))
                  asking.addEventListener('message', ({ data }) => resolve(data))
                }),
              `${fixture.origin}/api/user`,
            )
          const busy = other.page.evaluate(() => {
            document.title = 'busy'
            const end = performance.now() + 15_000
            while (performance.now() < end);
          })
          busy.catch(() => {})
          expect(await ask()).toEqual(mocked)
          await visit.endWorkers()
          expect(await ask()).toEqual(mocked)
          expect(fixture.backend.requests).toEqual([])
        },
      )

      test('a request of a closed page fails, and does not reach the network', async () => {
        await page.evaluate(() => {
          const { http } = engine
          worker.use(http.get('/api/slow', () => new Promise<never>(() => {})))
        })
        const openShared = (on: TestPage, path: string): Promise<unknown> =>
          on.evaluate(
            (url) =>
              new Promise((resolve) => {
                const { port } = new SharedWorker('/shared-worker.js')
                port.onmessage = ({ data }) => resolve(data)
                port.postMessage(url)
              }),
            path,
          )
        expect(await openShared(page, '/api/user')).toEqual(mocked)
        // WebDriver does not report the console of a service worker.
        const lines = other.watchWorkerConsole?.()
        const slow = openShared(other.page, '/api/slow')
        await new Promise((resolve) => setTimeout(resolve, 300))
        await page.close()
        expect(await slow).toBe('TypeError')
        expect(fixture.backend.requests).toEqual([])
        if (!lines) return
        await expect
          .poll(() => lines)
          .toEqual([
            `[understudy] Failed to answer GET ${fixture.origin}/api/slow: ` +
              'the page whose handlers answer it is closed or was reloaded. Use an open page. (US0309)',
          ])
      })
    })

    test('two engines of a page each answer the requests that their handlers match', async () => {
      const answers = await page.evaluate(async () => {
        const { http, HttpResponse } = engine
        const second = setupWorker(http.get('/api/second', () => HttpResponse.json({ from: 'the second' })))
        await second.start()
        const ask = async (path: string): Promise<unknown> => (await fetch(path)).json()
        const both = [await ask('/api/user'), await ask('/api/second')]
        second.stop()
        return [...both, await ask('/api/user')]
      })
      expect(answers).toEqual([mocked, { from: 'the second' }, mocked])
      expect(fixture.backend.requests).toEqual([])
      await visit.endWorkers()
      expect(await get('/api/user')).toEqual(mocked)
    })

    test('a request waits until both engines of a page are connected, because only one of them could match', async () => {
      await page.evaluate(async () => {
        const { http, HttpResponse } = engine
        for (const path of ['/api/second', '/api/third']) {
          await setupWorker(http.get(path, () => HttpResponse.json({ from: path }))).start()
        }
      })
      for (const path of ['/api/third', '/api/second', '/api/user']) {
        await visit.endWorkers()
        expect(await get(path)).toEqual({ from: path === '/api/user' ? 'the mock' : path })
      }
      await visit.endWorkers()
      expect(await get('/api/other')).toEqual(backendAnswer)
      expect(fixture.backend.requests).toEqual(['GET /api/other'])
    })

    test.for([
      ['', 0],
      [' while the worker learns late that the page has lost it', 2000],
    ] as const)(
      'a request fails if its page cannot connect again, and does not reach the network%s',
      async ([, delay]) => {
        const script = await fixture.project.read('public/understudy-worker.js')
        onTestFinished(() => fixture.project.write('public/understudy-worker.js', script))
        // A restarted worker ignores the connect messages of pages, as if the machine were too busy.
        const deaf = `
        let isFirstLife = false
        addEventListener('install', () => { isFirstLife = true })
        addEventListener('message', (event) => {
          if (!isFirstLife && event.data.type === 'understudy:connect') event.stopImmediatePropagation()
        });`
        await fixture.project.write('public/understudy-worker.js', `${deaf}\n${script}`)
        const other = await browser.openVisit()
        onTestFinished(() => other.close())
        await startMocking(other.page, 'the mock')
        await other.page.evaluate(`(() => {
        const timeout = AbortSignal.timeout.bind(AbortSignal)
        AbortSignal.timeout = (limit) => timeout(Math.min(limit, 500))
        const { postMessage } = ServiceWorker.prototype
        ServiceWorker.prototype.postMessage = function (...args) {
          const isLast = args[0].type === 'understudy:disconnect'
          setTimeout(() => postMessage.apply(this, args), isLast ? ${delay} : 0)
        }
      })()`)
        await other.endWorkers()
        const answer = await other.page.evaluate(() =>
          fetch('/api/user').then(
            (response) => response.json() as Promise<unknown>,
            (error: Error) => error.name,
          ),
        )
        expect(answer).toBe('TypeError')
        expect(fixture.backend.requests).toEqual([])
        // From then on, requests are answered in the page.
        expect(await get('/api/user', other.page)).toEqual(mocked)
      },
    )

    describe('a page that has connected, and has not ended its start', () => {
      let other: TestVisit
      beforeEach(async () => {
        other = await visit.profile.openPage()
        // The browser grants the lock by which a restarted worker finds the page when the test calls `grant()`.
        await other.page.addInitScript(() => {
          const state = globalThis as { isConnected?: boolean; grant?: () => void }
          const { request } = LockManager.prototype as unknown as { request(...args: unknown[]): Promise<unknown> }
          navigator.locks.request = async (...args: unknown[]): Promise<never> => {
            if (String(args[0]).startsWith('understudy:mocking')) {
              state.isConnected = true
              await new Promise<void>((resolve) => {
                state.grant = resolve
              })
            }
            return request.apply(navigator.locks, args) as Promise<never>
          }
        })
        await other.page.goto(fixture.origin)
        await other.page.waitForFunction('isReady')
        await other.page.evaluate(() => {
          const { http, HttpResponse } = engine
          const changed = new Promise((resolve) => {
            navigator.serviceWorker.addEventListener('controllerchange', resolve)
          })
          globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })))
          Object.assign(globalThis, { changed, started: worker.start() })
        })
        await other.page.waitForFunction('globalThis.isConnected')
      })

      async function expectMocked(): Promise<void> {
        // The gate does not hold modules. The worker learns here that the page is not connected.
        await other.page.evaluate(`import('/early-module.js').then(() => {})`)
        await other.page.evaluate('(grant(), started.then(() => {}))')
        for (let round = 0; round < 3; round += 1) expect(await get('/api/user', other.page)).toEqual(mocked)
        expect(fixture.backend.requests).toEqual([])
      }

      test('it stays mocked if another worker replaces the one that it knows', async () => {
        const script = await fixture.project.read('public/understudy-worker.js')
        onTestFinished(() => fixture.project.write('public/understudy-worker.js', script))
        await fixture.project.write('public/understudy-worker.js', `${script}\n// Another version.`)
        await page.evaluate(
          'navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => {})',
        )
        await other.page.evaluate('changed.then(() => {})')
        await expectMocked()
      })

      test('it stays mocked if the browser ends the worker', async () => {
        await other.endWorkers()
        await expectMocked()
      })
    })

    // Firefox keeps no page there that holds a Web Lock, and pages that mock hold one.
    test.skipIf(driver.name === 'Firefox')('a page from the back/forward cache is mocked', async () => {
      const withCache = await driver.launch({ hasBackForwardCache: true })
      onTestFinished(() => withCache.close())
      const { page: kept } = await withCache.openVisit()
      await startMocking(kept, 'the mock')
      await kept.evaluate(() => {
        addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { persisted }))
      })
      await kept.goto(`${fixture.origin}/empty.html`)
      await kept.evaluate('void history.back()')
      await kept.waitForFunction('globalThis.persisted')
      expect(await get('/api/user', kept)).toEqual(mocked)
      expect(fixture.backend.requests).toEqual([])
    })
  })
}
