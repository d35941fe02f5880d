/** Starts that cannot have a service worker, or have one that is not ours, on the browser whose engine is another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { RunningServer } from '../acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { allMocked } from '../acceptance/first-line.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { findFirefox } from '../find-firefox.ts'
import { serveScripts, type ScriptServer } from '../vite/script-server.ts'
import { vite } from '../vite/vite.ts'
import { launchFirefox, type Firefox, type FirefoxTab } from './firefox.ts'

const command = findFirefox()

/** Keeps what the page says on its console. */
const listening = `
globalThis.lines = []
for (const level of ['info', 'warn', 'error']) {
  const native = console[level]
  console[level] = (...args) => (lines.push(args.join(' ')), native.apply(console, args))
}`
const unregistering = `navigator.serviceWorker?.ready.then((registration) => registration.unregister())`

describe.skipIf(command === undefined)('Firefox', () => {
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

  const addScript = (script: string): Promise<void> =>
    project.write('index.html', page.replace('<script>', `<script>${script}</script><script>`))

  const readLines = async (tab: FirefoxTab): Promise<string> => (await tab.evaluate("lines.join('\\n')")) ?? ''

  function answers(tab: FirefoxTab): ReturnType<typeof expect.poll<unknown>> {
    const read = async (): Promise<unknown> => JSON.parse((await tab.evaluate('JSON.stringify(answers)')) ?? '{}')
    return expect.poll(read)
  }

  test('when the browser blocks site data, the page itself answers, and the console says why', async () => {
    await addScript(listening)
    const firefox = await launchFirefox(command ?? '', { 'network.cookie.cookieBehavior': 2 })
    try {
      const tab = await firefox.open(server.origin)
      await answers(tab).toEqual({ ...allMocked, image: 'error' })
      expect(await readLines(tab)).toMatch(/in the page itself, because the browser blocks service workers here/)
      expect(backend.requests).toEqual(['GET /api/image'])
    } finally {
      await firefox.close()
    }
  })

  describe('with site data', () => {
    let firefox: Firefox
    beforeAll(async () => {
      firefox = await launchFirefox(command ?? '')
    })
    afterAll(() => firefox.close())

    test('when the app unregisters the service worker at its start, eight loads of eight are answered by it', async () => {
      await addScript(listening + unregistering)
      backend.forget()
      for (let load = 0; load < 8; load += 1) {
        const tab = await firefox.open(server.origin)
        await answers(tab).toEqual(allMocked)
        expect(await readLines(tab)).toContain('Mocking is on. Handlers')
        expect(await readLines(tab)).not.toMatch(/in the page itself|Still waiting/)
        await tab.close()
      }
      expect(backend.requests).toEqual([])
    })

    describe('when the script at the URL of the worker is not ours', () => {
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
        ['msw', "is MSW's service worker. Delete that file"],
        ['importing-msw', "is MSW's service worker"],
        ['empty', 'is empty'],
        ['deaf', "is not Understudy's service worker"],
        ['endless', "is not Understudy's service worker"],
        ['installing', "is not Understudy's service worker"],
        ['throwing', 'the browser refuses the service worker'],
        ['redirect', 'browsers follow no redirects'],
      ] as const)('%s: the page itself answers at once, and says why', async ([script, reason]) => {
        const tab = await firefox.open(`${plainServer.origin}/${script}/`)
        await expect.poll(() => tab.evaluate('String(globalThis.isReady)')).toBe('true')
        const seen = await tab.evaluate(`(async () => {
          ${listening}
          const native = setTimeout
          globalThis.setTimeout = (act, milliseconds = 0) => (milliseconds < 4000 ? native(act, milliseconds) : 0)
          const { http, HttpResponse } = engine
          const worker = setupWorker(http.get('/api/user', () => HttpResponse.text('the mock')))
          await worker.start({ quiet: true, serviceWorker: { url: '/api/scripts/${script}', options: { scope: '/${script}/' } } })
          return (await (await fetch('/api/user')).text()) + ': ' + lines.join('\\n')
        })()`)
        expect(seen).toContain('the mock: [understudy] Mocking is on, in the page itself')
        expect(seen).toContain(reason)
        await tab.close()
      })
    })
  })
})
