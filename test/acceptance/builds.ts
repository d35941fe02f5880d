import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool, Extent, RunningServer, ToolOptions } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { allMocked, readAnswers } from './first-line.ts'
import { createProject, type Project } from './project.ts'
import { readBuild } from './read-build.ts'
import type { BrowserDriver, TestBrowser } from './test-browser.ts'

/**
 * Tests that a build contains no mocks, unless the option `enabled` is set.
 *
 * @param extent `'command line'`: only that a build contains no mocks, with another command line of the same tool
 */
export function testBuilds(
  tool: BuildTool,
  driver: BrowserDriver = chromium,
  extent: Extent | 'command line' = 'all',
): void {
  describe(`${tool.name} in ${driver.name}, in builds`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let server: RunningServer | undefined

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        driver.launch(),
        createProject('test/fixtures/first-line'),
      ])
    })

    afterAll(async () => {
      await Promise.all([browser.close(), backend.close()])
      await project.dispose()
    })

    afterEach(async () => {
      await server?.stop()
      server = undefined
      backend.forget()
    })

    async function build(options: ToolOptions = {}): Promise<void> {
      await tool.configure(project, { api: backend.origin, pages: ['nested/index.html'], ...options })
      const { code, output } = await tool.build(project)
      expect(code, output).toBe(0)
    }

    test('a build contains no mock, no engine and no worker, and sends real requests', async () => {
      await build()
      const text = await readBuild(project)
      expect(text).toContain('inline-fetch')
      expect(text).not.toMatch(/the mock|api\/\*|understudy|serviceWorker|mswjs/i)

      server = await tool.serve(project)
      const visit = await browser.openVisit()
      await visit.page.goto(server.origin)
      const kinds = Object.keys(allMocked).map((kind) => `${kind === 'beacon' ? 'POST' : 'GET'} /api/${kind}`)
      await expect.poll(() => backend.requests.toSorted()).toEqual(kinds.toSorted())
      expect(visit.errors).toEqual([])
      await visit.close()
    })

    if (extent === 'command line') return

    const others = driver === chromium ? ['/app/', ...(extent === 'all' ? ['/'] : [])] : []
    test.for(['./', ...others])('enabled under the base %s, it is mocked, also on nested pages', async (base) => {
      await build({ plugin: { enabled: true }, base })
      server = await tool.serve(project)
      const path = base === './' ? '/' : base
      // Each page is a separate visit, so the worker is not registered yet when it loads.
      for (const page of ['', 'nested/']) {
        const visit = await browser.openVisit()
        await visit.page.goto(server.origin + path + page)
        expect(await readAnswers(visit.page)).toEqual(allMocked)
        expect(await visit.page.evaluate('events')).toEqual({ DOMContentLoaded: 1, load: 1 })
        expect(visit.errors).toEqual([])
        expect(visit.console.join('\n')).not.toContain('in the page itself')
        await visit.close()
      }
      expect(backend.requests).toEqual([])
    })

    test('enabled, a page without a service worker is mocked, and by the scenario of its address', async ({
      onTestFinished,
    }) => {
      const files = ['index.html', 'src/mocks/handlers.js']
      const [page = '', handlers = ''] = await Promise.all(files.map((file) => project.read(file)))
      onTestFinished(async () => {
        await project.write('index.html', page)
        await project.write('src/mocks/handlers.js', handlers)
      })
      const withoutWorker = '<script>delete Navigator.prototype.serviceWorker</script>'
      await project.write(
        'index.html',
        page.replace(/<head>|(?=<script|<link)/, (tag) => tag + withoutWorker),
      )
      const scenario = `export const scenarios = { other: [http.get('/api/late', () => HttpResponse.json({ from: 'other' }))] }`
      await project.write('src/mocks/handlers.js', `${handlers}\n${scenario}\n`)
      await build({ plugin: { enabled: true } })
      server = await tool.serve(project)
      for (const [search, from] of Object.entries({ '': 'the mock', '?understudy=other': 'other' })) {
        const visit = await browser.openVisit()
        await visit.page.goto(`${server.origin}/${search}`)
        const answer = visit.page.evaluate(async () => (await fetch('/api/late')).json())
        expect(await answer).toEqual({ from })
        expect(visit.console.join('\n')).toContain('in the page itself')
        await visit.close()
      }
    })

    test.for([
      ['the plugin is switched off', { plugin: { enabled: false } }],
      // Then the tool has no part in it: the worker of the earlier visit finds no script.
      ...(extent === 'all' ? ([['the plugin is gone', { plugin: null }]] as const) : []),
    ] as const)('when %s, the worker of an earlier visit goes', async ([_name, options]) => {
      await tool.configure(project, { api: backend.origin })
      server = await tool.start(project)
      const { port, origin } = server
      const visit = await browser.openVisit()
      await visit.page.goto(origin)
      expect(await readAnswers(visit.page)).toEqual(allMocked)
      await visit.page.goto('about:blank')
      await server.stop()
      expect(backend.requests).toEqual([])

      await tool.configure(project, { api: backend.origin, ...options })
      server = await tool.start(project, { port })
      const next = await visit.profile.openPage()
      await next.page.goto(origin)
      await expect.poll(() => backend.requests).toContain('GET /api/entry')
      await expect
        .poll(() => next.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
        .toBe(0)

      backend.forget()
      await next.page.reload()
      await expect.poll(() => backend.requests).toContain('GET /api/entry')
      expect(await next.page.evaluate(() => navigator.serviceWorker.controller)).toBe(null)
      await visit.close()
    })

    test('a build without mocks removes the worker of an earlier visit', async () => {
      await tool.configure(project, { api: backend.origin })
      server = await tool.start(project)
      const { port, origin } = server
      const visit = await browser.openVisit()
      await visit.page.goto(origin)
      expect(await readAnswers(visit.page)).toEqual(allMocked)
      await server.stop()

      await build()
      server = await tool.serve(project, { port })
      await visit.page.goto(origin)
      await expect
        .poll(() => visit.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
        .toBe(0)
      await visit.close()
    })

    // What follows needs no browser.
    if (driver !== chromium) return

    test('if a web worker imports the handlers, the build fails, and the tool names the file', async () => {
      const leaking = await createProject('test/fixtures/first-line', {
        'src/beside.js': "import { handlers } from './mocks/handlers.js'\npostMessage(handlers.length)\n",
      })
      await leaking.edit(
        'src/main.js',
        "ask('entry')",
        "ask('entry')\nnew Worker(new URL('./beside.js', import.meta.url))",
      )
      await tool.configure(leaking, { api: backend.origin, pages: ['nested/index.html'] })
      const { code, output } = await tool.build(leaking)
      await leaking.dispose()
      expect(code).not.toBe(0)
      expect(output).toContain('Failed to leave mocks out of the build: src/beside.js imports src/mocks/handlers.js')
    })

    test('a build with mocks but without handlers fails, and the tool says why', async () => {
      const bare = await createProject('test/fixtures/first-line')
      await bare.remove('src/mocks/handlers.js')
      await tool.configure(bare, { plugin: { enabled: true } })
      const { code, output } = await tool.build(bare)
      expect(code).not.toBe(0)
      expect(output).toContain('Failed to find the handlers: there is no src/mocks/handlers.ts')
      await bare.dispose()
    })
  })
}
