import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool, Extent } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import {
  onlyInChromium,
  waitUntil,
  type BrowserDriver,
  type Profile,
  type TestPage,
  type TestVisit,
} from './test-browser.ts'

/** The kinds of requests by their initiator. Each is made once on every visit. */
const kinds = [
  'async',
  'beacon',
  'dynamic',
  'entry',
  'event-source',
  'image',
  'imported',
  'inline-fetch',
  'inline-module',
  'inline-xhr',
]

/** The answers to all of them if they are mocked. */
export const allMocked: Record<string, string> = {
  ...Object.fromEntries(kinds.map((kind) => [kind, 'the mock'])),
  image: '7 pixels',
}

/** Returns the answer to each kind of request on a page, after all of them were answered. */
export async function readAnswers(page: Pick<TestPage, 'evaluate'>): Promise<Record<string, string>> {
  await waitUntil(page, `Object.keys(globalThis.answers ?? {}).length >= ${kinds.length}`)
  return page.evaluate('answers')
}

/** A host name that is not a secure origin. */
const insecureHost = 'app.test'

/**
 * Tests that no request of a page reaches the backend, however early it is.
 *
 * @param extent `'visits'`: only the first visit and a later one, with another pair of a tool and a browser that are tested more
 */
export function testFirstLine(
  tool: BuildTool,
  driver: BrowserDriver = chromium,
  extent: Extent | 'visits' = 'all',
): void {
  describe(`${tool.name} in ${driver.name}, before the first request`, () => {
    const served = serveProject(tool, {
      launch: () => driver.launch({ hosts: [insecureHost] }),
      fixture: 'test/fixtures/first-line',
      options: { hosts: [insecureHost] },
    })

    afterEach(() => {
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    async function expectMocked({ page, navigations, errors }: TestVisit): Promise<void> {
      expect(await readAnswers(page)).toEqual(allMocked)
      await page.waitForLoadState('load')
      expect(await page.evaluate('events')).toEqual({ DOMContentLoaded: 1, load: 1 })
      expect(errors).toEqual([])
      expect(new Set(navigations).size).toBe(navigations.length)
    }

    test('the first visit, and a later one', async () => {
      const cold = await served.browser.openVisit()
      await cold.page.goto(served.server.origin)
      await expectMocked(cold)
      expect(cold.navigations).toHaveLength(1)

      const warm = await cold.profile.openPage()
      await warm.page.goto(served.server.origin)
      await expectMocked(warm)
      expect(warm.navigations).toHaveLength(1)
      await cold.close()
    })

    if (extent === 'visits') return

    test('a page in another folder', async () => {
      const visit = await served.browser.openVisit()
      await visit.page.goto(`${served.server.origin}/nested/`)
      await expectMocked(visit)
      await visit.close()
    })

    if (extent === 'all') testRepeatedVisits()

    /** Tests visits on which the gate and the worker decide, whose code is the same with each build tool. */
    function testRepeatedVisits(): void {
      test('twelve tabs at once', async () => {
        const profile = await served.browser.createProfile()
        const visits = await Promise.all(Array.from({ length: 12 }, () => profile.openPage()))
        await Promise.all(visits.map(({ page }) => page.goto(served.server.origin)))
        for (const visit of visits) await expectMocked(visit)
        await profile.close()
      })

      describe('in a profile that has visited before', () => {
        let profile: Profile
        beforeAll(async () => {
          profile = await served.browser.createProfile()
          const visit = await profile.openPage()
          await visit.page.goto(served.server.origin)
          await readAnswers(visit.page)
          await visit.close()
        })
        afterAll(() => profile.close())

        test('a hard reload, which no worker controls', async () => {
          const visit = await profile.openPage()
          await visit.page.goto(served.server.origin)
          await readAnswers(visit.page)
          await visit.hardReload('load')
          expect(await readAnswers(visit.page)).toEqual(allMocked)
          await visit.close()
        })

        test('rapid hard reloads of two tabs', async () => {
          const visits = await Promise.all([profile.openPage(), profile.openPage()])
          await Promise.all(visits.map(({ page }) => page.goto(served.server.origin)))
          for (let round = 0; round < 6; round += 1) {
            await Promise.all(visits.map((visit) => visit.hardReload('domcontentloaded')))
          }
          for (const { page } of visits) expect(await readAnswers(page)).toEqual(allMocked)
          await Promise.all(visits.map((visit) => visit.close()))
        })

        test('pages that reload while they start, and make requests until they end', async () => {
          const visit = await profile.openPage()
          await visit.page.goto(served.server.origin)
          await visit.page.evaluate(`void sessionStorage.setItem('reloads', '16')`)
          await visit.hardReload('load')
          await waitUntil(
            visit.page,
            `sessionStorage.getItem('reloads') === '0' && Object.keys(answers).length >= ${kinds.length}`,
          )
          expect(await readAnswers(visit.page)).toEqual(allMocked)
          // The browser cancels the loading of files when a page unloads. That is not an error of the handlers.
          expect(visit.console.filter((line) => line.startsWith('error: [understudy]'))).toEqual([])
          await visit.close()
        })

        /** Opens a page whose requests bypass the service worker. */
        async function openBypassing(): Promise<TestVisit> {
          const visit = await profile.openPage()
          const cdp = await visit.openDevTools?.()
          await cdp?.send('Network.enable')
          await cdp?.send('Network.setBypassServiceWorker', { bypass: true })
          return visit
        }

        test('"Bypass for network" of the developer tools', async ({ skip }) => {
          skip(driver.name !== 'Chromium', onlyInChromium)
          const visit = await openBypassing()
          await visit.page.goto(served.server.origin)
          await expectMockedInPage(visit, /Bypass for network/)
          await visit.close()
        })

        test('"Bypass for network", and the worker controls the page before the page detects it', async ({ skip }) => {
          skip(driver.name !== 'Chromium', onlyInChromium)
          const visit = await openBypassing()
          // The event that a worker controls a page may be as late as this on a busy machine.
          await visit.page.addInitScript(() => {
            const native = globalThis.fetch
            globalThis.fetch = async (input, init) => {
              const url = input instanceof Request ? input.url : String(input)
              if (url.includes('understudy-worker.js?')) {
                navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))
                await new Promise((resolve) => setTimeout(resolve, 500))
              }
              return native(input, init)
            }
          })
          await visit.page.goto(served.server.origin)
          await expectMockedInPage(visit, /Bypass for network/)
          await visit.close()
        })
      })
    }

    test('an origin that is not secure', async () => {
      const visit = await served.browser.openVisit()
      await visit.page.goto(`http://${insecureHost}:${served.server.port}/`)
      await expectMockedInPage(visit, /http:\/\/app\.test:\d+ is not a secure origin/)
      await visit.close()
    })

    test.for([
      ['a base path', { base: '/app/' }],
      ['a policy for scripts, by a nonce', { nonce: 'nonce-of-the-test' }],
    ] as const)('%s', async ([_name, options]) => {
      await served.server.stop()
      await tool.configure(served.project, { api: served.backend.origin, ...options })
      served.server = await tool.start(served.project)
      const visit = await served.browser.openVisit()
      await visit.page.goto(served.server.origin + ('base' in options ? options.base : '/'))
      await expectMocked(visit)
      expect(visit.console.join('\n')).not.toMatch(/in the page itself|Content Security Policy/)
      await visit.close()
    })

    /**
     * Checks a page that answers itself: requests of scripts are answered, but the request of an image reaches the
     * backend.
     */
    async function expectMockedInPage({ page, console: lines }: TestVisit, reason: RegExp): Promise<void> {
      expect(await readAnswers(page)).toEqual({ ...allMocked, image: 'error' })
      expect(served.backend.requests).toEqual(['GET /api/image'])
      served.backend.forget()
      const said = lines.filter((text) => text.includes('Mocking is on, in the page itself, because'))
      expect(said).toEqual([expect.stringMatching(reason)])
    }
  })
}
