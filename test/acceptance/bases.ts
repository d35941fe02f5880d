import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { certificate } from '../certificate.ts'
import type { BuildTool, RunningServer, ToolOptions } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { allMocked, readAnswers } from './first-line.ts'
import { startPageServer } from './page-server.ts'
import { createProject, type Project } from './project.ts'
import { findPort, runTool } from './run-tool.ts'
import { waitUntil, type BrowserDriver, type TestBrowser, type TestVisit } from './test-browser.ts'

/** Tests pages of other servers than the tool's, on other origins, with certificates, and in frames. */
export function testBases(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, addresses of the page`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let visit: TestVisit
    const endings: (() => Promise<unknown>)[] = []

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        driver.launch({ hosts: ['embedder.test'], certificates: 'of the tests' }),
        createProject('test/fixtures/first-line'),
      ])
    })

    afterAll(async () => {
      await Promise.all([browser.close(), backend.close()])
      await project.dispose()
    })

    afterEach(async () => {
      for (const end of endings.splice(0).toReversed()) await end()
      const escaped = [...backend.requests]
      backend.forget()
      expect(escaped).toEqual([])
    })

    /** Servers and paths that make no difference to the browser are tested in one. */
    const isRepeated = driver.name !== 'Chromium'

    async function open(url: string, by: TestBrowser = browser): Promise<void> {
      const opened = await by.openVisit()
      visit = opened
      endings.push(() => opened.close())
      await visit.page.goto(url)
    }

    async function start(options: ToolOptions = {}): Promise<RunningServer> {
      await tool.configure(project, { api: backend.origin, ...options })
      const server = await tool.start(project)
      endings.push(() => server.stop())
      return server
    }

    const inPageLines = (): string[] => visit.console.filter((line) => line.includes('in the page itself'))

    async function expectMockedByWorker(): Promise<void> {
      expect(await readAnswers(visit.page)).toEqual(allMocked)
      expect(inPageLines()).toEqual([])
      expect(visit.errors).toEqual([])
    }

    /** An image's request is not answered in the page itself, and reaches the backend. */
    async function expectMockedInPage(reason: string): Promise<void> {
      expect(await readAnswers(visit.page)).toEqual({ ...allMocked, image: 'error' })
      expect(inPageLines()).toEqual([expect.stringContaining(reason)])
      expect(backend.requests.filter((request) => request !== 'GET /api/image')).toEqual([])
      backend.forget()
    }

    test.skipIf(isRepeated).each([
      ['./', '/'],
      ['https://cdn.example.com/assets/', '/assets/'],
    ])('the base %s', async (base, path) => {
      const server = await start({ base })
      await open(server.origin + path)
      await expectMockedByWorker()
    })

    test.skipIf(isRepeated).each(['/', '/app/'])(
      'behind a proxy that does not change paths, under the base %s',
      async (base) => {
        const server = await start({ base })
        const proxy = await startPageServer({ api: server.origin, proxy: server.origin })
        endings.push(() => proxy.close())
        await open(proxy.origin + base)
        await expectMockedByWorker()
      },
    )

    test.skipIf(isRepeated)('middleware mode: Vite within a server of Node', async () => {
      await tool.configure(project, {})
      const port = await findPort()
      await project.write(
        'server.js',
        `import { createServer } from 'node:http'
    import { createServer as createViteServer } from 'vite'

    const http = createServer((request, response) => {
      if (request.url.startsWith('/api/')) return forward(request, response)
      vite.middlewares(request, response)
    })
    const vite = await createViteServer({ server: { middlewareMode: true, hmr: { server: http } } })
    http.listen(${port}, '127.0.0.1', () => console.log('listening'))

    async function forward({ method, url }, response) {
      response.end(await (await fetch('${backend.origin}' + url, { method })).text())
    }
    `,
      )
      const server = runTool(join(project.folder, 'server.js'), [], { folder: project.folder })
      endings.push(() => server.stop())
      await server.untilSaid(/listening/)
      await open(`http://localhost:${port}/`)
      await expectMockedByWorker()
    })

    async function startSecurely(): Promise<string> {
      const server = await start()
      const secure = await startPageServer({ api: server.origin, proxy: server.origin, certificate })
      endings.push(() => secure.close())
      return secure.origin
    }

    test.skipIf(isRepeated)('https, with a trusted certificate', async () => {
      await open(await startSecurely())
      await expectMockedByWorker()
    })

    test.each([
      ['HTTP/2', false],
      ['HTTP/1.1, as where it has a proxy', true],
    ])('https of the dev server itself, by %s', async (_protocol, hasProxy) => {
      await tool.configure(project, hasProxy ? { api: backend.origin } : {})
      const config = await project.read('vite.config.js')
      const https = `"server":{"https":${JSON.stringify(certificate)},`
      await project.write(
        'vite.config.js',
        config.replace('"server":{', () => https),
      )
      const server = await tool.start(project)
      endings.push(() => server.stop())
      await open(server.origin.replace('http:', 'https:'))
      await expectMockedByWorker()
      // The panel shows the page there, too.
      const panel = await visit.profile.openPage()
      await panel.page.goto(`${await visit.page.evaluate<string>('location.origin')}/__understudy/`)
      await waitUntil(panel.page, "document.querySelector('[role=switch]')")
    })

    // Firefox's driver can only switch off all checks, and then the browser does not refuse the service worker.
    test.skipIf(isRepeated)('https, with an untrusted certificate and a dismissed warning', async () => {
      const careless = await driver.launch({ certificates: 'any' })
      endings.push(() => careless.close())
      await open(await startSecurely(), careless)
      await expectMockedInPage('the browser refuses the service worker')
      expect(inPageLines()).toEqual([
        expect.stringMatching(/^warning: .* If the browser does not trust the certificate/),
      ])
    })

    test('a build with mocks in a folder of a static host, also on nested pages', async () => {
      await tool.configure(project, { base: './', plugin: { enabled: true }, pages: ['nested/index.html'] })
      const { code, output } = await tool.build(project)
      expect(code, output).toBe(0)
      const files = { folder: join(project.folder, 'dist'), base: '/demos/box-office/' }
      const host = await startPageServer({ api: backend.origin, files })
      endings.push(() => host.close())
      for (const path of ['', 'nested/']) {
        await open(host.origin + files.base + path)
        await expectMockedByWorker()
      }
    })

    test.skipIf(isRepeated)('a build with files on a CDN', async () => {
      // Both URLs must be known before the servers start.
      const files = { folder: join(project.folder, 'dist'), headers: { 'Access-Control-Allow-Origin': '*' } }
      const cdn = await startPageServer({ api: backend.origin, files: { ...files, base: '/assets/' } })
      const site = await startPageServer({ api: backend.origin, files: { ...files, base: '/' } })
      endings.push(
        () => cdn.close(),
        () => site.close(),
      )
      await tool.configure(project, { base: `${cdn.origin}/assets/`, plugin: { enabled: true } })
      const { code, output } = await tool.build(project)
      expect(code, output).toBe(0)
      await open(site.origin)
      await expectMockedInPage(`this page is not below ${site.origin}/assets/`)
    })

    test.each([
      ['of another origin', ''],
      ['of another origin, sandboxed', 'sandbox="allow-scripts"'],
    ])('in a frame of a page %s: nothing escapes', async (_name, attributes) => {
      // Drivers reach only the frames of the page's own process.
      const sending = `<script>if (parent !== self) setInterval(() => parent.postMessage(answers, '*'), 50)</script></body>`
      await project.edit('index.html', '</body>', sending)
      // A sandboxed frame has an opaque origin: it can load modules only from a server that allows any origin.
      await tool.configure(project, { api: backend.origin })
      const config = await project.read('vite.config.js')
      await project.write('vite.config.js', config.replace('"server":{', '"server":{"cors":{"origin":"*"},'))
      const server = await tool.start(project)
      endings.push(() => server.stop())
      const embedder = await startPageServer({
        api: backend.origin,
        html:
          '<!doctype html><link rel="icon" href="data:,"><script>' +
          `addEventListener('message', ({ data }) => (window.answers = data))</script>` +
          `<iframe ${attributes} src="${server.origin}"></iframe>`,
        host: 'embedder.test',
      })
      endings.push(() => embedder.close())
      await open(embedder.origin)
      expect(await readAnswers(visit.page)).toEqual({ ...allMocked, image: expect.any(String) as unknown })
      expect(backend.requests.filter((request) => request !== 'GET /api/image')).toEqual([])
      backend.forget()
    })
  })
}
