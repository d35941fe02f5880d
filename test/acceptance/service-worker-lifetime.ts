import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { chromium } from './chromium.ts'
import { backendAnswer } from './counting-backend.ts'
import { mocked, visitMockedPage } from './mocked-page.ts'
import { get as getOn } from './serve-plain.ts'
import type { BrowserDriver } from './test-browser.ts'

/** Tests when the service worker starts, stays and ends, with `setupWorker` and without a plugin. */
export function testServiceWorkerLifetime(driver: BrowserDriver = chromium): void {
  describe(`in ${driver.name}, the life of the service worker`, () => {
    const { current, fixture, get } = visitMockedPage(driver)

    test('the worker removes itself when no page mocks any more', async () => {
      await current.page.reload()
      await expect
        .poll(() => current.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
        .toBe(0)
    })

    test('an unregistered worker that still controls the page is replaced', async () => {
      await current.page.reload()
      await current.page.waitForFunction('globalThis.isReady')
      const seen = await current.page.evaluate(async () => {
        const before = navigator.serviceWorker.controller
        await (await navigator.serviceWorker.getRegistration())?.unregister()
        globalThis.worker = setupWorker(
          engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })),
        )
        await worker.start()
        const response = await fetch('/api/user')
        return [before !== null, (await response.json()) as unknown]
      })
      expect(seen).toEqual([true, mocked])
      expect(current.visit.console.join('\n')).not.toContain('in the page itself')
    })

    describe('when another script is served for the worker', () => {
      const file = 'public/understudy-worker.js'
      let script: string

      beforeEach(async () => {
        script = await fixture.project.read(file)
      })
      afterEach(() => fixture.project.write(file, script))

      test('the new worker takes over, and pending responses still arrive', async () => {
        await fixture.project.write(file, `${script}\n// edited`)
        const answers = await current.page.evaluate(async () => {
          const { http, HttpResponse } = engine
          let finish = (): void => {}
          const asked = new Promise<void>((resolve) => {
            worker.use(
              http.get('/api/slow', async () => {
                resolve()
                await new Promise<void>((end) => (finish = end))
                return HttpResponse.json({ from: 'the mock' })
              }),
            )
          })
          const slow = fetch('/api/slow')
          await asked
          const changed = new Promise((resolve) => {
            navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
          })
          await (await navigator.serviceWorker.getRegistration())?.update()
          // The browser lets the old one finish.
          finish()
          const first: unknown = await (await slow).json()
          await changed
          const next: unknown = await (await fetch('/api/user')).json()
          return [first, next]
        })
        expect(answers).toEqual([mocked, mocked])
        expect(fixture.backend.requests).toEqual([])
      })

      /** Reloads the page and starts mocking. */
      async function startAnew(): Promise<void> {
        await current.page.goto('about:blank')
        await current.page.goto(fixture.origin)
        await current.page.waitForFunction('globalThis.isReady')
        await current.page.evaluate(async () => {
          const { http, HttpResponse } = engine
          globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })))
          await worker.start()
        })
      }

      const unregister = (): Promise<void> =>
        current.page.evaluate(async () => {
          await (await navigator.serviceWorker.getRegistration())?.unregister()
        })

      /** Serves the worker of another version. @returns the version of this engine */
      async function serveOtherVersion(): Promise<string> {
        const [version] = /\d+\.\d+\.\d+/.exec(script) ?? ['none']
        await fixture.project.write(file, script.replaceAll(version, '0.0.0'))
        return version
      }

      test('a script of another version is not used: the page answers itself until the server sends the right version', async () => {
        const version = await serveOtherVersion()
        await unregister()
        await startAnew()
        expect(await get('/api/user')).toEqual(mocked)
        expect(current.visit.console.join('\n')).toMatch(
          new RegExp(
            `in the page itself, because the service worker .* has version 0\\.0\\.0, but the engine has ${version}`,
          ),
        )

        await fixture.project.write(file, script)
        current.visit.console.length = 0
        await unregister()
        await startAnew()
        expect(await get('/api/user')).toEqual(mocked)
        expect(current.visit.console.join('\n')).toContain('Mocking is on')
        expect(current.visit.console.join('\n')).not.toContain('in the page itself')
        expect(fixture.backend.requests).toEqual([])
      })

      test('a worker of another version from an earlier visit is replaced immediately', async () => {
        await serveOtherVersion()
        await unregister()
        await startAnew()
        await fixture.project.write(file, script)
        // Drops long timers: code that waits for an event that has already happened then never continues, and the test fails.
        await current.page.addInitScript(() => {
          const native = setTimeout
          const patient = (act: () => void, milliseconds = 0) => (milliseconds < 5000 ? native(act, milliseconds) : 0)
          Object.assign(globalThis, { setTimeout: patient })
        })
        current.visit.console.length = 0
        await startAnew()
        expect(await get('/api/user')).toEqual(mocked)
        expect(current.visit.console.join('\n')).toContain('Mocking is on')
        expect(current.visit.console.join('\n')).not.toContain('in the page itself')
        expect(fixture.backend.requests).toEqual([])
      })
    })

    describe('stop()', () => {
      test('sends the next request to the network, and start() mocks again', async () => {
        const answers = await current.page.evaluate(async () => {
          const ask = async (): Promise<unknown> => (await fetch('/api/user')).json()
          const before = await ask()
          worker.stop()
          const stopped = [await ask(), await ask()]
          await worker.start()
          return [before, ...stopped, await ask()]
        })
        expect(answers).toEqual([mocked, backendAnswer, backendAnswer, mocked])
      })

      test('a pending response of a handler still arrives', async () => {
        const answer = await current.page.evaluate(async () => {
          const { http, HttpResponse } = engine
          let finish = (): void => {}
          const asked = new Promise<void>((resolve) => {
            worker.use(
              http.get('/api/slow', async () => {
                resolve()
                await new Promise<void>((end) => (finish = end))
                return HttpResponse.json({ from: 'the mock' })
              }),
            )
          })
          const response = fetch('/api/slow')
          await asked
          worker.stop()
          finish()
          return (await response).json() as Promise<unknown>
        })
        expect(answer).toEqual(mocked)
      })

      test('does not end mocking in other pages', async () => {
        const other = await current.visit.profile.openPage()
        await other.page.goto(fixture.origin)
        await other.page.waitForFunction('globalThis.isReady')
        await other.page.evaluate(async () => {
          globalThis.worker = setupWorker(
            engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })),
          )
          await worker.start()
        })
        await current.page.evaluate(() => worker.stop())
        expect(await getOn('/api/user', other.page)).toEqual(mocked)
        expect(await get('/api/user')).toEqual(backendAnswer)
      })
    })

    test('the console names a missing worker script on a page that the worker of an earlier visit controls', async () => {
      await current.page.evaluate(() => setupWorker().start())
      await current.page.reload()
      await expect.poll(() => current.page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
      const message = await current.page.evaluate(() =>
        Promise.race([
          setupWorker()
            .start({ serviceWorker: { url: '/nowhere.js' }, findWorker: () => false })
            .catch((error: Error) => error.message),
          new Promise((resolve) => setTimeout(resolve, 15_000, 'no event in time')),
        ]),
      )
      expect(message).toMatch(/Failed to start mocking: there is no service worker script at http.*\/nowhere\.js/)
    })

    async function expectMissingScript(): Promise<void> {
      const message = await current.page.evaluate(() =>
        setupWorker()
          .start({ serviceWorker: { url: '/nowhere.js' } })
          .catch((error: Error) => error.message),
      )
      expect(message, current.visit.console.join('\n')).toMatch(
        /Failed to start mocking: there is no service worker script at http.*\/nowhere\.js/,
      )
    }

    test('a missing service worker script is reported with its URL', expectMissingScript)

    test('a missing script is reported, also if the browser takes long to find out', async () => {
      await current.page.evaluate(() => {
        const { prototype } = ServiceWorkerContainer
        const { register } = prototype
        prototype.register = async function (...args) {
          await new Promise((resolve) => setTimeout(resolve, 1500))
          return register.apply(this, args)
        }
      })
      await expectMissingScript()
    })
  })
}

/** Tests a worker that the browser has ended. `worker-memory.ts` tests more of it in all browsers. */
export function testIdleWorker(): void {
  describe('in Chromium, when the browser has ended the idle worker', () => {
    const { current, fixture, get } = visitMockedPage(chromium)
    beforeEach(() => current.visit.endWorkers())

    test('the next request is mocked', async () => {
      expect(await get('/api/user')).toEqual(mocked)
      expect(await get('/api/user')).toEqual(mocked)
      expect(fixture.backend.requests).toEqual([])
    })

    test('a request that no handler matches goes to the network', async () => {
      expect(await get('/api/other')).toEqual(backendAnswer)
    })

    test('a new handler answers the next request', async () => {
      const answer = await current.page.evaluate(async () => {
        worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
        const response = await fetch('/api/new')
        return response.json() as Promise<unknown>
      })
      expect(answer).toEqual(mocked)
      expect(fixture.backend.requests).toEqual([])
    })

    test('a handler that was added just before answers', async () => {
      await current.page.evaluate(async () => {
        worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
        await fetch('/api/new')
      })
      await current.visit.endWorkers()
      expect(await get('/api/new')).toEqual(mocked)
      expect(await get('/api/other')).toEqual(backendAnswer)
      expect(fixture.backend.requests).toEqual(['GET /api/other'])
    })

    test('a worker that lost its table gets new handlers', async () => {
      const answers = await current.page.evaluate(async () => {
        for (const name of await caches.keys()) await caches.delete(name)
        worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
        const responses = await Promise.all([fetch('/api/new'), fetch('/api/user')])
        return Promise.all(responses.map((response) => response.json() as Promise<unknown>))
      })
      expect(answers).toEqual([mocked, mocked])
      expect(fixture.backend.requests).toEqual([])
    })

    test('mocking can be ended', async () => {
      await current.page.evaluate(() => worker.stop())
      expect(await get('/api/user')).toEqual(backendAnswer)
    })

    test('mocking can be ended just after a handler was added', async () => {
      const answer = await current.page.evaluate(async () => {
        worker.use(engine.http.get('/api/new', () => engine.HttpResponse.json({ from: 'the mock' })))
        worker.stop()
        const response = await fetch('/api/user')
        return response.json() as Promise<unknown>
      })
      expect(answer).toEqual(backendAnswer)
      expect(await get('/api/new')).toEqual(backendAnswer)
      await current.page.evaluate(() => worker.start())
      expect(await get('/api/new')).toEqual(mocked)
    })

    test('a reload is mocked again', async () => {
      await current.page.reload()
      await current.page.waitForFunction('globalThis.isReady')
      await current.page.evaluate(async () => {
        globalThis.worker = setupWorker(
          engine.http.get('/api/user', () => engine.HttpResponse.json({ from: 'the mock' })),
        )
        await worker.start()
      })
      expect(await get('/api/user')).toEqual(mocked)
    })
  })
}
