/** Tests starts without a service worker or with a foreign one, in Firefox. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { testFilePages } from '../acceptance/file-pages.ts'
import { allMocked, readAnswers } from '../acceptance/first-line.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import type { TestBrowser, TestVisit } from '../acceptance/test-browser.ts'
import { serveScripts, type ScriptServer } from '../vite/script-server.ts'
import { vite } from '../vite/vite.ts'
import { inFirefox, launchFirefox } from './firefox.ts'

const unregistering = `navigator.serviceWorker?.ready.then((registration) => registration.unregister())`

/**
 * Makes the object of the controlling worker dead: it is redundant, and messages to it are lost. Firefox does so if
 * many tabs start at once on a busy machine (decision 57).
 */
const killing = `{
  const { controller } = navigator.serviceWorker ?? {}
  if (controller) {
    globalThis.dead = controller
    Object.defineProperty(controller, 'state', { value: 'redundant' })
    controller.postMessage = () => {}
  }
}`

inFirefox((firefox) => {
  let backend: CountingBackend
  let project: Project
  let server: RunningServer
  let page: string
  beforeAll(async () => {
    ;[backend, project] = await Promise.all([startBackend(), createProject('test/fixtures/first-line')])
    await vite.configure(project, { api: backend.origin })
    page = await project.read('index.html')
    server = await vite.start(project)
  })
  afterAll(async () => {
    await Promise.all([server.stop(), backend.close()])
    await project.dispose()
  })

  async function open(browser: TestBrowser): Promise<TestVisit> {
    const visit = await browser.openVisit()
    await visit.page.goto(server.origin)
    return visit
  }

  test('when the browser blocks site data, the page itself answers, and the console says why', async () => {
    await project.write('index.html', page)
    const browser = await launchFirefox({ 'network.cookie.cookieBehavior': 2 })
    try {
      const visit = await open(browser)
      expect(await readAnswers(visit.page)).toEqual({ ...allMocked, image: 'error' })
      expect(visit.console.join('\n')).toMatch(/in the page itself, because the browser blocks service workers here/)
      expect(backend.requests).toEqual(['GET /api/image'])
    } finally {
      await browser.close()
    }
  })

  testFilePages(firefox)

  describe('with site data', () => {
    let browser: TestBrowser
    beforeAll(async () => {
      browser = await firefox.launch()
    })
    afterAll(() => browser.close())

    test('when the app unregisters the service worker at its start, the worker answers in each of three loads', async () => {
      await project.write('index.html', page.replace('<script>', `<script>${unregistering}</script><script>`))
      backend.forget()
      const profile = await browser.createProfile()
      for (let load = 0; load < 3; load += 1) {
        const visit = await profile.openPage()
        await visit.page.goto(server.origin)
        expect(await readAnswers(visit.page)).toEqual(allMocked)
        const lines = visit.console.join('\n')
        expect(lines).toContain('Mocking is on. Handlers')
        expect(lines).not.toMatch(/in the page itself|Still waiting/)
        await visit.close()
      }
      expect(backend.requests).toEqual([])
    })

    test('a page whose worker object is dead registers another worker', async () => {
      await project.write('index.html', page.replace('<script>', `<script>${killing}</script><script>`))
      backend.forget()
      const profile = await browser.createProfile()
      for (const hasDead of [false, true]) {
        const visit = await profile.openPage()
        await visit.page.goto(server.origin)
        expect(await readAnswers(visit.page)).toEqual(allMocked)
        expect(visit.console.join('\n')).not.toContain('in the page itself')
        const seen = await visit.page.evaluate(
          '[!!globalThis.dead, globalThis.dead === navigator.serviceWorker.controller]',
        )
        expect(seen).toEqual([hasDead, false])
        await visit.close()
      }
      expect(backend.requests).toEqual([])
    })

    describe('when the script at the URL of the worker is another one', () => {
      let plain: Project
      let plainServer: RunningServer
      let scripts: ScriptServer
      beforeAll(async () => {
        ;[plain, scripts] = await Promise.all([createProject('test/fixtures/plain'), serveScripts()])
        await vite.configure(plain, { plugin: null, api: scripts.origin })
        plainServer = await vite.start(plain)
      })
      afterAll(async () => {
        await Promise.all([plainServer.stop(), scripts.close()])
        await plain.dispose()
      })

      test.for([
        ['msw', /is MSW's service worker\. Delete that file/],
        ['importing-msw', /is MSW's service worker/],
        ['empty', /is empty/],
        ['deaf', /is not Understudy's service worker/],
        ['endless', /is not Understudy's service worker/],
        ['installing', /is not Understudy's service worker/],
        // The engine also reads the script, on a busy machine even earlier.
        ['throwing', /the browser refuses the service worker|is not Understudy's service worker/],
        ['redirect', /browsers do not follow redirects/],
      ] as const)('%s: the page itself answers at once, and says why', async ([script, reason]) => {
        const visit = await browser.openVisit()
        await visit.page.goto(`${plainServer.origin}/${script}/`)
        await visit.page.waitForFunction('globalThis.isReady')
        const answer = await visit.page.evaluate(`(async () => {
          const timeout = AbortSignal.timeout.bind(AbortSignal)
          AbortSignal.timeout = (limit) => (limit < 4000 ? timeout(limit) : new AbortController().signal)
          globalThis.setTimeout = () => 0
          performance.now = () => 0
          const { http, HttpResponse } = engine
          const worker = setupWorker(http.get('/api/user', () => HttpResponse.text('the mock')))
          await worker.start({ quiet: true, serviceWorker: { url: '/api/scripts/${script}', options: { scope: '/${script}/' } } })
          return (await fetch('/api/user')).text()
        })()`)
        expect(answer).toBe('the mock')
        expect(script === 'endless' && scripts.hasEnded).toBe(false)
        const lines = visit.console.join('\n')
        expect(lines).toContain('[understudy] Mocking is on, in the page itself')
        expect(lines).toMatch(reason)
        await visit.close()
      })
    })
  })
})
