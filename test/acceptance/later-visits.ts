import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject } from './project.ts'
import type { BrowserDriver, TestBrowser, TestVisit } from './test-browser.ts'

const page = `<!doctype html><title>Images</title><link rel="icon" href="data:," />
<script type="module" src="/src/main.js"></script>
<img src="/api/image" onload="image = this.naturalWidth" onerror="image = 'broken'" />`

const handlers = `import { http, HttpResponse } from '@understudy/engine'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'
export const handlers = [
  http.get('/api/image', () => new HttpResponse(svg, { headers: { 'Content-Type': 'image/svg+xml' } })),
  http.get('/api/handlers', () => HttpResponse.json({ text: 'mocked' })),
]
`

/** Tests visits with an existing worker: of this project, and of another one on the same port. */
export function testLaterVisits(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, later visits`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let visit: TestVisit

    beforeAll(async () => {
      ;[backend, browser] = await Promise.all([startBackend(), driver.launch()])
    })
    afterAll(() => Promise.all([browser.close(), backend.close()]))
    beforeEach(async () => {
      visit = await browser.openVisit()
    })
    afterEach(async () => {
      await visit.close()
      backend.forget()
    })

    /** Runs a project whose page has an image. */
    async function run(
      plugin: object | null,
      files: Record<string, string> = {},
      port?: number,
      isBuilt = false,
    ): Promise<RunningServer> {
      const project = await createProject('test/fixtures/hot', {
        'index.html': page,
        'src/mocks/handlers.js': handlers,
        ...files,
      })
      await tool.configure(project, { plugin: plugin as Record<string, unknown> | null, api: backend.origin })
      if (isBuilt) await tool.build(project)
      const server = await tool[isBuilt ? 'serve' : 'start'](project, port === undefined ? {} : { port })
      onTestFinished(async () => {
        await server.stop()
        await project.dispose()
      })
      return server
    }

    test('an image of the HTML waits for handlers that take long to load', async () => {
      // Wait longer than the worker waits for a page that does not announce mocking.
      const slow = `${handlers}await new Promise((resolve) => setTimeout(resolve, 4500))\n`
      const server = await run({}, { 'src/mocks/handlers.js': slow })
      await visit.page.goto(server.origin)
      await visit.page.evaluate('first')
      backend.forget()

      await visit.page.reload()
      expect(await visit.page.evaluate('first')).toBe('mocked')
      await expect.poll(() => visit.page.evaluate('globalThis.image')).toBe(7)
      expect(backend.requests).toEqual([])
    })

    test('handlers that take long to load delay the event `load` only for elements of the HTML that wait for them', async () => {
      const note = `<script>
        addEventListener('load', () => {
          globalThis.atLoad = [globalThis.areHandlersLoaded ?? false, globalThis.image ?? 'none']
          globalThis.afterLoad?.()
        })
      </script>`
      // Without an image, the handlers wait for the event. The gate may open a moment later than the worker answers the image: it
      // waits until it is checked that requests reach the worker.
      const slow = `${handlers}
        await new Promise((resolve) => {
          // The dev server also loads the handlers.
          if (!globalThis.document || globalThis.atLoad) resolve()
          else if (document.querySelector('img')) setTimeout(resolve, 1500)
          else globalThis.afterLoad = resolve
        })
        globalThis.areHandlersLoaded = true\n`
      const server = await run(
        {},
        {
          'index.html': page + note,
          'without.html': page.replace(/<img.*/, '') + note,
          'src/mocks/handlers.js': slow,
        },
      )
      await visit.page.goto(`${server.origin}/without.html`)
      for (const _visit of ['first', 'later']) {
        expect(await visit.page.evaluate('first')).toBe('mocked')
        expect(await visit.page.evaluate('atLoad')).toEqual([false, 'none'])
        await visit.page.reload()
      }
      await visit.page.goto(server.origin)
      expect(await visit.page.evaluate('atLoad')).toEqual([true, 7])
      expect(backend.requests).toEqual([])
    })

    test('an image of the HTML waits for a page whose next script blocks it', async () => {
      // The page announces mocking, and is then busy for longer than the worker takes to read its lock.
      const blocking = `<script>{
        const end = performance.now() + 4500
        while (sessionStorage.length > 0 && performance.now() < end);
      }</script>`
      const server = await run({}, { 'index.html': `${page}\n${blocking}` })
      await visit.page.goto(server.origin)
      await visit.page.evaluate('first')
      await visit.page.evaluate('void sessionStorage.setItem("isSlow", "true")')
      backend.forget()

      await visit.page.reload()
      expect(await visit.page.evaluate('first')).toBe('mocked')
      await expect.poll(() => visit.page.evaluate('globalThis.image')).toBe(7)
      expect(backend.requests).toEqual([])
    })

    test('a page starts mocking although its worker ends while the handlers load', async () => {
      // A restarted worker finds the page only by its lock, and the page waits for this module.
      const slow = `${handlers}await new Promise((resolve) => setTimeout(resolve, 4000))\nawait import('./late.js')\n`
      const server = await run(
        {},
        {
          'index.html': page.replace(/<img.*/, ''),
          'src/mocks/handlers.js': slow,
          'src/mocks/late.js': 'export {}\n',
        },
      )
      const own = await driver.launch({ endsWorkers: true })
      onTestFinished(() => own.close())
      const { page: starting, endWorkers } = await own.openVisit()
      await starting.goto(server.origin)
      expect(await starting.evaluate('first')).toBe('mocked')
      await starting.reload()
      await endWorkers()
      expect(await starting.evaluate('first')).toBe('mocked')
      expect(backend.requests).toEqual([])
    })

    test.for([
      ['another project', null, false],
      ['the development server of the build that is served now', {}, true],
    ] as const)('a worker of %s is removed immediately, and holds no requests', async ([_name, plugin, isBuilt]) => {
      const first = await run({})
      await visit.page.goto(first.origin)
      expect(await visit.page.evaluate('first')).toBe('mocked')
      // The tool's client in the page would reload it as soon as the next server listens, and abort the navigation below.
      await visit.page.goto('about:blank')
      await first.stop()

      await run(plugin, {}, first.port, isBuilt)
      backend.forget()
      await visit.page.goto(first.origin)
      // Otherwise, the worker would send the image to the network after 3 seconds, and unregister itself after 5. Firefox
      // reports no duration of images that fail, but they delay the event `load` after all scripts.
      const waited = await visit.page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        const scripts = performance.getEntriesByType('resource').filter(({ name }) => !name.includes('/api/'))
        const ends = scripts.map((entry) => (entry as PerformanceResourceTiming).responseEnd)
        return (navigation?.loadEventStart ?? Infinity) - Math.max(...ends)
      })
      expect(waited).toBeLessThan(1500)
      expect(backend.requests).toContain('GET /api/image')
      await expect
        .poll(() => visit.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
        .toBe(0)
    })
  })
}
