import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFailed,
  onTestFinished,
  test,
} from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import {
  askInSharedWorker,
  askInWorker,
  askToReplace,
  handlers,
  loadImage,
  loadImageOfMarkup,
  loop,
  loopInWorker,
  loops,
  ofWebWorker,
  sharedWorkerScript,
  workerScript,
} from './other-versions-page.ts'
import { createProject, repository, type Project } from './project.ts'
import { waitUntil, type BrowserDriver, type Profile, type TestBrowser, type TestVisit } from './test-browser.ts'

/** A release of the engine, made from the current build. */
type Release = (code: string) => string

const current: Release = (code) => code

/** Excludes types, which are most of the files of a package: nothing reads them here, and to copy them takes a second. */
const isRead = (file: string): boolean => !/\.d\.ts(?:\.map)?$/.test(file)

/** The next release, with the same messages between page and worker. */
const next: Release = (code) => code.replaceAll('"0.1.0"', '"0.2.0"')

/** A release whose route tables have another form, which other releases do not understand. */
const nextWithOtherTables: Release = (code) => next(code).replaceAll(/\bparts\b/g, 'pieces')

/** Tests pages that stay open while the packages are updated, and the dev server serves the worker of another version. */
export function testOtherVersions(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, workers of other versions`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let server: RunningServer
    let profile: Profile

    beforeAll(async () => {
      ;[backend, browser] = await Promise.all([startBackend(), driver.launch()])
    })
    afterAll(() => Promise.all([browser.close(), backend.close()]))
    beforeEach(async () => {
      profile = await browser.createProfile()
      project = await createProject('test/fixtures/hot', {
        'src/mocks/handlers.js': handlers,
        'public/web-worker.js': workerScript,
        'public/shared-worker.js': sharedWorkerScript,
        'public/empty.html': '<!doctype html><title>Empty</title><link rel="icon" href="data:," />',
      })
    })
    afterEach(async () => {
      await profile.close()
      await server.stop()
      await project.dispose()
      const escaped = [...backend.requests]
      backend.forget()
      expect(escaped).toEqual([])
    })

    /**
     * Installs a release in the project, and starts the dev server.
     *
     * @param file the name of the worker's file
     */
    async function run(release: Release, port?: number, file = 'understudy-worker.js'): Promise<void> {
      await tool.configure(project, { api: backend.origin, plugin: { panel: false, worker: { file } } })
      const modules = join(project.folder, 'node_modules')
      await rm(modules, { recursive: true, force: true })
      for (const name of ['engine', 'vite-plugin']) {
        const folder = join(modules, '@understudy', name)
        for (const part of ['package.json', 'dist'])
          await cp(join(repository, 'packages', name, part), join(folder, part), { recursive: true, filter: isRead })
      }
      const built = join(modules, '@understudy/engine/dist')
      for (const each of ['worker.js', 'shared/start-mocking.js'])
        await writeFile(join(built, each), release(await readFile(join(built, each), 'utf8')))
      server = await tool.start(project, port === undefined ? {} : { port })
    }

    async function open(): Promise<TestVisit> {
      const visit = await profile.openPage()
      onTestFailed(() => console.error(visit.console.filter((line) => /^(warning|error|info)/.test(line)).join('\n')))
      return visit
    }

    const inPageLines = (visit: TestVisit): string[] =>
      visit.console.filter((line) => /in the page(:|( itself)?, because)/.test(line))

    /** Opens a page that stays open while the packages change. The tool's client would reload it in the foreground. */
    async function openOld(): Promise<TestVisit> {
      const old = await open()
      await old.page.addInitScript(() => {
        Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
      })
      await old.page.goto(server.origin)
      expect(await old.page.evaluate('first')).toBe('mocked')
      expect(await old.page.evaluate(loadImage)).toBe(7)
      return old
    }

    /** Restarts the dev server with another release, and opens a page of it. */
    async function change(release: Release, file?: string): Promise<TestVisit> {
      const { port } = server
      await server.stop()
      await run(release, port, file)
      const fresh = await open()
      await fresh.page.goto(server.origin)
      expect(await fresh.page.evaluate('first')).toBe('mocked')
      return fresh
    }

    async function expectWorker({ page }: TestVisit): Promise<void> {
      expect(await page.evaluate(`ask('/api/handlers')`)).toBe('mocked')
      expect(await page.evaluate(loadImage)).toBe(7)
    }

    test.for([
      ['updated', current, next, undefined],
      ['downgraded', next, current, undefined],
      ['updated, and the name of the worker contains the version', current, next, 'understudy-worker-0.2.0.js'],
    ] as const)('an open page stays mocked while the packages are %s', async ([_name, before, after, file]) => {
      await run(before)
      const old = await openOld()
      await old.page.evaluate(loop(20))
      await old.page.evaluate(`void (globalThis.slow = ask('/api/slow').catch(String))`)
      await waitUntil(old.page, 'globalThis.finish')

      const fresh = await change(after, file)
      for (const visit of [fresh, old]) await expectWorker(visit)
      await old.page.evaluate('globalThis.hasEnded = true, void finish()')
      expect(await old.page.evaluate('slow')).toBe('mocked')
      expect(await old.page.evaluate('loop')).toEqual(['mocked'])
      // Chromium now replaces the worker.
      const isReplaced = `navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting === null)`
      await expect.poll(() => fresh.page.evaluate(isReplaced)).toBe(true)
      for (const visit of [fresh, old]) {
        await expectWorker(visit)
        expect(inPageLines(visit)).toEqual([])
      }
    })

    // In Firefox, a page that loads while the worker is replaced may stay with the one that is gone.
    test.runIf(driver.name === 'Firefox')('a page gets the worker of its version when it is reloaded', async () => {
      await run(current)
      const visit = await openOld()
      for (const release of [next, current, next]) {
        const { port } = server
        await server.stop()
        await run(release, port)
        await visit.page.reload()
        expect(await visit.page.evaluate('first')).toBe('mocked')
        await expectWorker(visit)
        const isReplaced = `navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting === null)`
        await expect.poll(() => visit.page.evaluate(isReplaced)).toBe(true)
        await expectWorker(visit)
        expect(inPageLines(visit)).toEqual([])
      }
    })

    test.runIf(driver.name === 'Firefox')(
      'while Firefox replaces the worker, no request escapes in silence',
      async () => {
        await run(current)
        const visit = await openOld()
        await visit.page.evaluate(loops)
        await visit.page.evaluate(loopInWorker)
        await visit.page.evaluate(
          `void navigator.serviceWorker.addEventListener('controllerchange', () => (globalThis.replaced = true))`,
        )
        const script = join(project.folder, 'node_modules/@understudy/engine/dist/worker.js')
        const code = await readFile(script, 'utf8')
        const isReplaced = (): Promise<boolean> => visit.page.evaluate('globalThis.replaced')
        // A new worker gives up if there are pending requests at each of its attempts, and the loops make requests that no page holds.
        await visit.page.evaluate(`void setInterval(() => ${askToReplace}, 2000)`)
        for (let round = 1; round <= 8; round += 1) {
          await writeFile(script, `${code}// ${round}`)
          await visit.page.evaluate(`globalThis.replaced = false`)
          await visit.page.evaluate(`navigator.serviceWorker.getRegistration().then((each) => void each.update())`)
          await expect.poll(isReplaced, { interval: 100, timeout: 120_000 }).toBe(true)
        }
        await visit.page.evaluate('void (globalThis.hasEnded = true)')
        expect(await visit.page.evaluate('loop')).toEqual(['mocked'])
        expect(await visit.page.evaluate('otherLoops')).toEqual([['mocked'], ['mocked'], ['mocked']])
        await visit.page.evaluate('void ofLoop.terminate()')
        const warnings = visit.console.filter((line) => line.includes('US0326'))
        expect(warnings).toEqual([expect.stringContaining('some may have gone to the network')])
        // An image in the markup cannot be held, and one that a script creates may be on its way.
        const escaped = backend.requests.filter((request) => !request.includes(ofWebWorker))
        backend.forget()
        expect(escaped.filter((request) => !request.includes('image'))).toEqual([])
        for (const request of escaped) {
          const isReported = (): boolean => visit.console.some((line) => line.includes(request.replace('GET ', '')))
          await expect.poll(isReported).toBe(true)
        }
      },
    )

    const changes = [
      ['updated', current, nextWithOtherTables, '0.1.0', '0.2.0'],
      ['downgraded', nextWithOtherTables, current, '0.2.0', '0.1.0'],
    ] as const

    test.for(changes)(
      'an open page that the worker does not understand says so, and no request escapes: the packages are %s',
      async ([_name, before, after, was, is]) => {
        await run(before)
        const old = await openOld()
        expect(await old.page.evaluate(askInWorker)).toBe('mocked')
        const fresh = await change(after)
        await expectWorker(fresh)
        expect(inPageLines(fresh)).toEqual([])
        await expect.poll(() => inPageLines(old)).toHaveLength(1)
        expect(inPageLines(old)[0]).toContain(`has version ${is}, but the engine has ${was}. `)
        expect(inPageLines(old)[0]).toContain('Reload the page.')
        // The dev server no longer has the code that answers in the page. In Firefox, the page has loaded it at its start.
        const isCodeLoaded = driver.name === 'Firefox'
        const failure = 'Failed to answer in the page: Failed to fetch dynamically imported module: '
        expect(inPageLines(old)[0]?.includes(failure)).toBe(!isCodeLoaded)
        await old.page.evaluate(`void (globalThis.answer = ask('/api/handlers').catch(String))`)
        const answer = `Promise.race([answer, new Promise((end) => setTimeout(end, 1000, 'held'))])`
        expect(await old.page.evaluate(answer)).toBe(isCodeLoaded ? 'mocked' : 'held')
        // A page that answers itself leaves elements and web workers to the network.
        for (const isRestarted of isCodeLoaded ? [] : [false, true]) {
          if (isRestarted) await fresh.endWorkers()
          expect(await old.page.evaluate(loadImageOfMarkup)).toBe(0)
          expect(await old.page.evaluate(askInWorker)).toMatch(/Failed to fetch/)
          expect(inPageLines(old)).toHaveLength(1)
        }
        await expectWorker(fresh)

        await old.page.reload()
        await expectWorker(old)
        expect(inPageLines(old)).toHaveLength(1)
      },
    )

    describe.runIf(driver.name === 'Chromium')('a page that the worker does not understand', () => {
      /** Opens a page, and updates the packages so that the worker refuses the page. */
      async function openBoth(): Promise<{ old: TestVisit; fresh: TestVisit }> {
        await run(current)
        const old = await openOld()
        expect(await old.page.evaluate(askInSharedWorker)).toBe('mocked')
        const fresh = await change(nextWithOtherTables)
        await expect.poll(() => inPageLines(old)).toHaveLength(1)
        return { old, fresh }
      }

      test('no request escapes if it returns from the back/forward cache, and the browser ends the worker', async () => {
        const withCache = await driver.launch({ hasBackForwardCache: true })
        onTestFinished(() => withCache.close())
        await profile.close()
        profile = await withCache.createProfile()
        const { old, fresh } = await openBoth()
        await old.page.evaluate(`addEventListener('pageshow', ({ persisted }) => (globalThis.persisted = persisted))`)
        await old.page.goto(`${server.origin}/empty.html`)
        await old.page.evaluate('void history.back()')
        await old.page.waitForFunction('globalThis.persisted')
        await fresh.endWorkers()
        expect(await old.page.evaluate(loadImageOfMarkup)).toBe(0)
      })

      test('a page that the worker understands answers for its shared worker when it is closed', async () => {
        const { old, fresh } = await openBoth()
        expect(await fresh.page.evaluate(askInSharedWorker)).toMatch(/Failed to fetch/)
        await old.close()
        expect(await fresh.page.evaluate(askInSharedWorker)).toBe('mocked')
      })
    })

    test.runIf(driver.name === 'Chromium').for(changes)(
      'a new page answers itself while the worker that does not understand it is busy: the packages are %s',
      async ([_name, before, after, was, is]) => {
        await run(before)
        const old = await openOld()
        await old.page.evaluate(`void (globalThis.slow = ask('/api/slow').catch(String))`)
        await waitUntil(old.page, 'globalThis.finish')
        const fresh = await change(after)
        expect(inPageLines(fresh)).toHaveLength(1)
        expect(inPageLines(fresh)[0]).toContain(`has version ${was}, but the engine has ${is}. Reload the page.`)
        await old.page.evaluate('void finish()')
        expect(await old.page.evaluate('slow')).toBe('mocked')
      },
    )

    test.runIf(driver.name === 'Chromium')(
      'a new page waits for its worker while the worker that does not understand it is busy for a short time',
      async () => {
        await run(current)
        const old = await openOld()
        await old.page.evaluate(`void (globalThis.slow = ask('/api/slow').catch(String))`)
        await waitUntil(old.page, 'globalThis.finish')
        const changing = change(nextWithOtherTables)
        const isWaiting = `navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)`
        await expect.poll(() => old.page.evaluate(isWaiting), { timeout: 20_000 }).toBe(true)
        // Longer than the wait for a worker that is accepted until then.
        await new Promise((resolve) => setTimeout(resolve, 2000))
        await old.page.evaluate('void finish()')
        const fresh = await changing
        expect(inPageLines(fresh)).toEqual([])
        await expectWorker(fresh)
      },
    )
  })
}
