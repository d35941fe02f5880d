/** Tests starts without a service worker or with a foreign one: no request waits forever, and none escapes. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { SetupWorker } from '@understudy/engine/browser'
import { chromium, type BrowserContext } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import type { RunningServer } from '../acceptance/build-tool.ts'
import { testFilePages } from '../acceptance/file-pages.ts'
import { allMocked, readAnswers } from '../acceptance/first-line.ts'
import { createProject, type Project } from '../acceptance/project.ts'
import { serveProject } from '../acceptance/serve-project.ts'
import { findChromium } from '../find-chromium.ts'
import { serveScripts, type ScriptServer } from './script-server.ts'
import { vite } from './vite.ts'

// The globals of the fixture's page, for functions that run there.
declare global {
  var engine: typeof import('@understudy/engine')
  var setupWorker: typeof import('@understudy/engine/browser').setupWorker
  var worker: SetupWorker
  var understudy: typeof import('@understudy/engine') & { worker: SetupWorker }
}

/** A widespread template unregisters earlier service workers. */
const unregistering = `navigator.serviceWorker.ready.then((registration) => registration.unregister())\n`

const served = serveProject(vite, {
  launch: launchBrowser,
  fixture: 'test/fixtures/first-line',
  options: { plugin: { expose: true } },
})

afterEach(() => {
  const escaped = served.backend.requests.filter((request) => request !== 'GET /api/image')
  served.backend.forget()
  expect(escaped).toEqual([])
})

describe('when the browser blocks site data', () => {
  let profile: string
  let context: BrowserContext

  beforeAll(async () => {
    profile = await mkdtemp(join(tmpdir(), 'understudy-profile-'))
    await mkdir(join(profile, 'Default'))
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
    await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(preferences))
    const executablePath = findChromium()?.path
    context = await chromium.launchPersistentContext(profile, {
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--no-first-run'],
    })
  })
  afterAll(async () => {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  })

  test('the page itself answers, and the console says why', async () => {
    const visit = await openPage(context)
    await visit.page.goto(served.server.origin)
    expect(await readAnswers(visit.page)).toEqual({ ...allMocked, image: 'error' })
    expect(visit.console.filter((line) => line.includes('in the page itself'))).toEqual([
      expect.stringContaining('because the browser blocks service workers here'),
    ])
  })
})

test('when Playwright blocks service workers, the page itself answers immediately, and the console says why', async () => {
  const visit = await openVisit(served.browser, { serviceWorkers: 'block' })
  await visit.page.goto(served.server.origin)
  expect(await readAnswers(visit.page)).toEqual({ ...allMocked, image: 'error' })
  expect(visit.console.filter((line) => line.includes('[understudy] ')).slice(0, 1)).toEqual([
    expect.stringMatching(
      /^info: .* in the page itself, because a test runner or a script of this page blocks service workers\. /,
    ),
  ])
  expect(visit.console.join('\n')).not.toContain('Still waiting')
  await visit.close()
})

testFilePages()

describe('when the app unregisters the service worker at its start', () => {
  let page: string
  beforeAll(async () => {
    page = await served.project.read('index.html')
    await served.project.write('index.html', page.replace('<script>', `<script>${unregistering}</script><script>`))
  })
  afterAll(() => served.project.write('index.html', page))

  async function expectMocked({ page: tab, console: lines, ...visit }: Visit): Promise<void> {
    await tab.goto(served.server.origin)
    expect(await readAnswers(tab), lines.join('\n')).toEqual(allMocked)
    expect(lines.join('\n')).toContain('Mocking is on. Handlers')
    // The gate prints this after five seconds.
    expect(lines.join('\n')).not.toMatch(/in the page itself|Still waiting/)
    expect(visit.errors).toEqual([])
  }

  test('the service worker answers in each of three first visits', async () => {
    for (let load = 0; load < 3; load += 1) {
      const visit = await openVisit(served.browser)
      await expectMocked(visit)
      await visit.close()
    }
  })

  test('it also answers in later visits, and in other tabs', async () => {
    const context = await served.browser.newContext()
    for (let load = 0; load < 4; load += 1) await expectMocked(await openPage(context))
    await context.close()
  })

  test('a handler that is added later answers the next request', async () => {
    const visit = await openVisit(served.browser)
    await expectMocked(visit)
    const answer = await visit.page.evaluate(async () => {
      const { http, HttpResponse } = understudy
      worker.use(http.get('/api/later', () => HttpResponse.text('the mock')))
      return (await fetch('/api/later')).text()
    })
    expect(answer).toBe('the mock')
    await visit.close()
  })
})

describe('when the script at the URL of the worker is another one', () => {
  let plain: Project
  let plainServer: RunningServer
  let scripts: ScriptServer
  let own: string
  beforeAll(async () => {
    own = await readFile(new URL(import.meta.resolve('@understudy/engine/worker')), 'utf8')
    ;[plain, scripts] = await Promise.all([createProject('test/fixtures/plain'), serveScripts()])
    await vite.configure(plain, { plugin: null, api: scripts.origin })
    plainServer = await vite.start(plain)
  })
  afterAll(async () => {
    await Promise.all([plainServer.stop(), scripts.close()])
    await plain.dispose()
  })

  /** Starts mocking with a script. @returns the answer to a request, and the lines of the console about the start */
  async function start(name: string, context?: BrowserContext): Promise<{ answer: unknown; lines: string[] }> {
    const visit = context ? await openPage(context) : await openVisit(served.browser)
    await visit.page.goto(plainServer.origin)
    await visit.page.waitForFunction('isReady')
    const answer = await visit.page.evaluate(async (url) => {
      const { http, HttpResponse } = engine
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      // Time-outs never end in this test, so the start ends only if the page detects the cause.
      AbortSignal.timeout = (limit) => (limit < 4000 ? timeout(limit) : new AbortController().signal)
      // The clock of fake timers stands still.
      Object.assign(globalThis, { setTimeout: () => 0 })
      performance.now = () => 0
      globalThis.worker = setupWorker(http.get('/api/user', () => HttpResponse.text('the mock')))
      await worker.start({ quiet: true, serviceWorker: { url, options: { scope: '/' } } })
      return (await fetch('/api/user')).text()
    }, `/api/scripts/${name}`)
    const lines = visit.console.filter((line) => line.includes('[understudy]'))
    if (!context) await visit.close()
    return { answer, lines }
  }

  test.for([
    ["MSW's worker", 'msw', "is MSW's service worker. Delete that file"],
    ["MSW's worker, imported by another script", 'importing-msw', "is MSW's service worker"],
    ['an empty script', 'empty', 'is empty. Let the plugin'],
    ['a script that handles nothing', 'deaf', "is not Understudy's service worker. Let the plugin"],
    ['a script that never ends', 'endless', "is not Understudy's service worker"],
    ['a script whose installation never ends', 'installing', "is not Understudy's service worker"],
    // The page also reads the script, on a busy machine even before the browser has evaluated it.
    ['a script that throws', 'throwing', /the browser refuses the service worker|is not Understudy's service worker/],
    ['a redirect', 'redirect', 'browsers do not follow redirects of service worker scripts. Let the plugin'],
  ] as const)(
    '%s: the page itself answers immediately, and the console says what to do',
    async ([_name, script, reason]) => {
      const { answer, lines } = await start(script)
      expect(answer).toBe('the mock')
      expect(script === 'endless' && scripts.hasEnded).toBe(false)
      expect(lines).toEqual([expect.stringMatching(/^(warning|info): .* in the page itself/)])
      expect(lines[0]).toMatch(reason)
    },
  )

  test('start() waits for Understudy’s worker if it is slow', async () => {
    const busy = '{ const end = Date.now() + 1500; while (Date.now() < end); }'
    scripts.serve('slow', `${busy}; addEventListener('message', () => ${busy});\n${own}`)
    expect(await start('slow')).toEqual({ answer: 'the mock', lines: [] })
  })

  test("MSW's worker of an earlier visit is replaced immediately by the current script", async () => {
    const context = await served.browser.newContext()
    scripts.serve('replaced', scripts.read('msw'))
    expect((await start('replaced', context)).lines.join()).toContain("is MSW's service worker")
    scripts.serve('replaced', own)
    expect(await start('replaced', context)).toEqual({ answer: 'the mock', lines: [] })
    await context.close()
  })
})
