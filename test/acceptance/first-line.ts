import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from './browser.ts'
import type { BuildTool, RunningServer } from './build-tool.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, type Project } from './project.ts'

/** Kinds of requests, by what makes them; each is made once on every visit. */
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

/** What all of them answer, where they are mocked. */
export const allMocked: Record<string, string> = {
  ...Object.fromEntries(kinds.map((kind) => [kind, 'the mock'])),
  image: '7 pixels',
}

/** What answered each kind of request on a page, once all have been answered. */
export async function readAnswers(page: Page): Promise<Record<string, string>> {
  const handle = await page.waitForFunction((count) => {
    const { answers } = globalThis as unknown as { answers?: Record<string, string> }
    return answers && Object.keys(answers).length >= count && answers
  }, kinds.length)
  return (await handle.jsonValue()) as Record<string, string>
}

/** The fixture's page where the server's own name is no secure origin. */
const insecureHost = 'app.test'

/** Whatever a page requests, and however early: nothing reaches the backend (DESIGN.md, "First line"). */
export function testFirstLine(tool: BuildTool): void {
  describe(`${tool.name}, before the first line`, () => {
    let backend: CountingBackend
    let browser: Browser
    let project: Project
    let server: RunningServer

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        launchBrowser([`--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`]),
        createProject('test/fixtures/first-line'),
      ])
      await tool.configure(project, { api: backend.origin, hosts: [insecureHost] })
      server = await tool.start(project)
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

    async function expectMocked({ page, navigations, errors }: Visit): Promise<void> {
      expect(await readAnswers(page)).toEqual(allMocked)
      await page.waitForLoadState('load')
      expect(await page.evaluate('events')).toEqual({ DOMContentLoaded: 1, load: 1 })
      expect(errors).toEqual([])
      expect(new Set(navigations).size).toBe(navigations.length)
    }

    test('a cold visit, and a warm one', async () => {
      const cold = await openVisit(browser)
      await cold.page.goto(server.origin)
      await expectMocked(cold)
      expect(cold.navigations).toHaveLength(1)

      const warm = await openPage(cold.context)
      await warm.page.goto(server.origin)
      await expectMocked(warm)
      expect(warm.navigations).toHaveLength(1)
      await cold.close()
    })

    test('a page of its own folder', async () => {
      const visit = await openVisit(browser)
      await visit.page.goto(`${server.origin}/nested/`)
      await expectMocked(visit)
      await visit.close()
    })

    test('twelve tabs at once', async () => {
      const context = await browser.newContext()
      const visits = await Promise.all(Array.from({ length: 12 }, () => openPage(context)))
      await Promise.all(visits.map(({ page }) => page.goto(server.origin)))
      for (const visit of visits) await expectMocked(visit)
      await context.close()
    })

    describe('in a profile that has visited before', () => {
      let context: BrowserContext
      beforeAll(async () => {
        context = await browser.newContext()
        const visit = await openPage(context)
        await visit.page.goto(server.origin)
        await readAnswers(visit.page)
        await visit.close()
      })
      afterAll(() => context.close())

      test('a hard reload, which no worker controls', async () => {
        const { page, ...visit } = await openPage(context)
        await page.goto(server.origin)
        await readAnswers(page)
        const cdp = await context.newCDPSession(page)
        const reloaded = page.waitForEvent('load')
        await cdp.send('Page.reload', { ignoreCache: true })
        await reloaded
        expect(await readAnswers(page)).toEqual(allMocked)
        await visit.close()
      })

      test('rapid hard reloads of two tabs', async () => {
        const visits = await Promise.all([openPage(context), openPage(context)])
        await Promise.all(visits.map(({ page }) => page.goto(server.origin)))
        const sessions = await Promise.all(visits.map(({ page }) => context.newCDPSession(page)))
        for (let round = 0; round < 6; round += 1) {
          const reloaded = visits.map(({ page }) => page.waitForEvent('domcontentloaded'))
          await Promise.all(sessions.map((cdp) => cdp.send('Page.reload', { ignoreCache: true })))
          await Promise.all(reloaded)
        }
        for (const { page } of visits) expect(await readAnswers(page)).toEqual(allMocked)
        await Promise.all(visits.map((visit) => visit.close()))
      })

      test('"Bypass for network" of the developer tools', async () => {
        const visit = await openPage(context)
        const cdp = await context.newCDPSession(visit.page)
        await cdp.send('Network.enable')
        await cdp.send('Network.setBypassServiceWorker', { bypass: true })
        await visit.page.goto(server.origin)
        await expectMockedInPage(visit, /Bypass for network/)
        await visit.close()
      })

      test('"Bypass for network", and the worker takes the page over before that is found out', async () => {
        const visit = await openPage(context)
        const cdp = await context.newCDPSession(visit.page)
        await cdp.send('Network.enable')
        await cdp.send('Network.setBypassServiceWorker', { bypass: true })
        // The browser says by itself when a worker has taken a page over: on a busy machine, as late as this.
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
        await visit.page.goto(server.origin)
        await expectMockedInPage(visit, /Bypass for network/)
        await visit.close()
      })
    })

    test('an origin that is not secure', async () => {
      const visit = await openVisit(browser)
      await visit.page.goto(`http://${insecureHost}:${server.port}/`)
      await expectMockedInPage(visit, /http:\/\/app\.test:\d+ is no secure origin/)
      await visit.close()
    })

    test.for([
      ['a base path', { base: '/app/' }],
      ['a policy for scripts, by a nonce', { nonce: 'nonce-of-the-test' }],
    ] as const)('%s', async ([_name, options]) => {
      await server.stop()
      await tool.configure(project, { api: backend.origin, ...options })
      server = await tool.start(project)
      const visit = await openVisit(browser)
      await visit.page.goto(server.origin + ('base' in options ? options.base : '/'))
      await expectMocked(visit)
      expect(visit.console.join('\n')).not.toMatch(/in the page itself|Content Security Policy/)
      await visit.close()
    })

    /** In the page itself, scripts' requests are answered; an image's is not, and reaches the backend. */
    async function expectMockedInPage({ page, console: lines }: Visit, reason: RegExp): Promise<void> {
      expect(await readAnswers(page)).toEqual({ ...allMocked, image: 'error' })
      expect(backend.requests).toEqual(['GET /api/image'])
      backend.forget()
      const said = lines.filter((text) => text.includes('Mocking is on, in the page itself, because'))
      expect(said).toEqual([expect.stringMatching(reason)])
    }
  })
}
