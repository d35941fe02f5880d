import { readFile } from 'node:fs/promises'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { serveScripts, type ScriptServer } from '../vite/script-server.ts'
import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { createProject, type Project } from './project.ts'
import { waitUntil, type BrowserDriver, type TestBrowser, type TestVisit } from './test-browser.ts'

/** Longer than each step of a start took at most before the page answered itself, in milliseconds. */
const delay = 9000

const waitFor = (event: string): string =>
  `addEventListener('${event}', (event) => event.waitUntil(fetch('/api/scripts/gate-of-' + self.location.search.slice(1))));`

/** Tests that a page waits for its service worker as long as nothing shows that it will not come. */
export function testSlowWorkers(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, when the service worker is slow`, () => {
    let browser: TestBrowser
    let project: Project
    let scripts: ScriptServer
    let server: RunningServer
    let own: string

    beforeAll(async () => {
      own = await readFile(new URL(import.meta.resolve('@understudy/engine/worker')), 'utf8')
      ;[browser, project, scripts] = await Promise.all([
        driver.launch(),
        createProject('test/fixtures/plain'),
        serveScripts(),
      ])
      await tool.configure(project, { plugin: null, api: scripts.origin })
      server = await tool.start(project)
    })
    afterAll(async () => {
      await Promise.all([browser.close(), server.stop(), scripts.close()])
      await project.dispose()
    })

    /** Starts mocking on a page with a script, and makes a request of a script and one of an image meanwhile. */
    async function start(script: string, patch = ''): Promise<TestVisit> {
      const visit = await browser.openVisit()
      await visit.page.goto(server.origin)
      await waitUntil(visit.page, 'globalThis.isReady')
      await visit.page.evaluate(`void (() => {
        ${patch}
        const { http, HttpResponse } = engine
        const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>'
        const headers = { 'Content-Type': 'image/svg+xml' }
        globalThis.worker = setupWorker(
          http.get('/api/user', () => HttpResponse.text('the mock')),
          http.get('/api/image', () => new HttpResponse(svg, { headers })),
        )
        const started = worker.start({ quiet: true, serviceWorker: { url: '/api/scripts/${script}', options: { scope: '/' } } })
        globalThis.answers = {}
        started.then(async () => {
          answers.user = await (await fetch('/api/user')).text()
          const image = new Image()
          image.onload = () => { answers.image = image.width + ' pixels' }
          image.onerror = () => { answers.image = 'error' }
          image.src = '/api/image'
        })
      })()`)
      return visit
    }

    async function readAnswers(visit: TestVisit): Promise<unknown> {
      await waitUntil(visit.page, 'globalThis.answers.image')
      return visit.page.evaluate('globalThis.answers')
    }

    const waiting = (lines: readonly string[]): string[] =>
      lines.filter((line) => line.includes('Still waiting for the service worker'))

    test.for([
      ['the server delays its script', 'script', 'the server has not sent http'],
      ['its installation takes long', 'install', 'the browser has not activated http'],
      ['its activation takes long', 'activate', 'the browser has not activated http'],
    ] as const)('%s: it answers requests of scripts and of images', async ([_name, event, reason]) => {
      const isScript = event === 'script'
      const name = isScript ? event : `gate-of-${event}`
      const release = scripts.hold(name, isScript ? own : '')
      if (!isScript) scripts.serve(event, `${waitFor(event)}\n${own}`)
      const visit = await start(`${event}?${event}`)
      await new Promise((resolve) => setTimeout(resolve, delay))
      release()
      expect(await readAnswers(visit), visit.console.join('\n')).toEqual({ user: 'the mock', image: '7 pixels' })
      expect(waiting(visit.console)).toEqual([expect.stringContaining(reason)])
      expect(visit.console.join('\n')).not.toContain('in the page itself')
      await visit.close()
    })

    test('its first answer takes long: it answers requests of scripts and of images', async () => {
      const busy = `{ const end = Date.now() + ${delay}; while (Date.now() < end); }`
      scripts.serve('busy', `addEventListener('message', () => ${busy}, { once: true });\n${own}`)
      const visit = await start('busy')
      expect(await readAnswers(visit), visit.console.join('\n')).toEqual({ user: 'the mock', image: '7 pixels' })
      expect(visit.console.join('\n')).not.toContain('in the page itself')
      await visit.close()
    })

    describe('when the browser never registers it', () => {
      /** Lets time-outs of a second or more end early. */
      const soon = `
        const timeout = AbortSignal.timeout.bind(AbortSignal)
        AbortSignal.timeout = (limit) => timeout(limit < 1000 ? limit : 1000)`

      test('the page answers itself after a time, and the console says so', async () => {
        scripts.serve('hanging', own)
        const visit = await start(
          'hanging',
          `${soon}; ServiceWorkerContainer.prototype.register = () => new Promise(() => {})`,
        )
        expect(await readAnswers(visit)).toEqual({ user: 'the mock', image: 'error' })
        expect(waiting(visit.console)).toEqual([expect.stringContaining('the browser has not registered http')])
        expect(visit.console.join('\n')).toMatch(
          /in the page itself, because the browser did not register the service worker in time\. Reload the page\./,
        )
        await visit.close()
      })

      test('because the server never sends its script: the same', async () => {
        scripts.hold('unsent', own)
        const visit = await start('unsent', soon)
        expect(await readAnswers(visit)).toEqual({ user: 'the mock', image: 'error' })
        expect(waiting(visit.console)).toEqual([expect.stringContaining('the server has not sent http')])
        expect(visit.console.join('\n')).toContain('in the page itself')
        await visit.close()
      })

      test('because its script imports others, and ignores the page: the console says what to do', async () => {
        scripts.serve('importing', "importScripts('./deaf')")
        const visit = await start('importing', soon)
        expect(await readAnswers(visit)).toEqual({ user: 'the mock', image: 'error' })
        expect(visit.console.join('\n')).toMatch(/importing is not Understudy's service worker\. Let the plugin/)
        await visit.close()
      })

      test('a second call gets the result if the browser lost the first one', async () => {
        scripts.serve('lost', own)
        const visit = await start(
          'lost',
          `${soon}
          const { register } = ServiceWorkerContainer.prototype
          ServiceWorkerContainer.prototype.register = function (...args) {
            const first = !globalThis.isLost
            globalThis.isLost = true
            return first ? new Promise(() => {}) : register.apply(this, args)
          }`,
        )
        expect(await readAnswers(visit), visit.console.join('\n')).toEqual({ user: 'the mock', image: '7 pixels' })
        await visit.close()
      })
    })
  })
}
