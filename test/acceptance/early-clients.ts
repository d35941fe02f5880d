import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, type Project } from './project.ts'
import { waitUntil, type BrowserDriver, type Profile, type TestBrowser, type TestVisit } from './test-browser.ts'

/** A page whose first scripts create web workers and a frame, before mocking is on. These make the requests. */
const page = `<!doctype html><html><head><title>Early clients</title><link rel="icon" href="data:,">
<script>
  window.answers = {}
  const toCode = (kind) => "fetch('" + location.origin + "/api/" + kind + "').then((r) => r.json()).then(({ from }) => from, String).then(answer)"
  const create = (kind, url, options) => {
    const worker = new Worker(url, options)
    worker.onmessage = ({ data }) => (answers[kind] = data)
    worker.onerror = () => (answers[kind] = 'error')
  }
  create('script', '/asking.js')
  create('module', '/asking-module.js', { type: 'module' })
  create('mocked', '/api/worker')
  const url = URL.createObjectURL(new Blob([toCode('blob').replace('answer', 'postMessage')]))
  create('blob', url)
  URL.revokeObjectURL(url)
  const { port } = new SharedWorker('/asking-shared.js')
  port.postMessage('shared')
  port.onmessage = ({ data }) => (answers.shared = data)
  addEventListener('message', ({ data }) => (answers.frame = data))
  caches.open('early').then((cache) => cache.add('/api/cached').then(() => cache.match('/api/cached')))
    .then((r) => r.json()).then(({ from }) => from, String).then((from) => (answers.cached = from))
</script></head><body><script>
  const script = '<script>' + toCode('frame').replace('answer', "(from) => parent.postMessage(from, '*')") + '</scr' + 'ipt>'
  document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: script }))
</script><script type="module" src="/src/main.js"></script></body></html>`

/** The elements that the HTML parser loads. */
const elements = `<!doctype html><html><head><title>Elements</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/style.css"><link rel="preload" as="fetch" crossorigin href="/api/preloaded">
<script src="/api/script.js"></script></head><body><img src="/api/image"><img src="/api/any-origin"><script type="module" src="/src/main.js"></script></body></html>`

/** Elements that a script adds when the page has loaded, before mocking is on. */
const lateElements = `<!doctype html><html><head><title>Late elements</title><link rel="icon" href="data:,"></head><body><script>
  window.added = new Promise((resolve) => addEventListener('load', () => {
    document.body.append(
      Object.assign(document.createElement('script'), { src: '/api/slow/script.js' }),
      Object.assign(document.createElement('input'), { type: 'image', src: '/api/slow/input' }),
    )
    resolve()
  }))
</script><script type="module" src="/src/main.js"></script></body></html>`

const askingShared = `onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) =>
    fetch('/api/' + data).then((r) => r.json()).then(({ from }) => from, String).then((from) => port.postMessage(from))
}`

const asking = (kind: string): string =>
  `fetch('/api/${kind}').then((r) => r.json()).then(({ from }) => from, String).then(postMessage)`

const handlers = `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.get('/api/worker', () => new HttpResponse('postMessage("the mock")', { headers: { 'Content-Type': 'text/javascript' } })),
  http.get('/:every', () => undefined),
  http.get(/./, () => undefined),
  http.get('*/any-origin', () => HttpResponse.json({ from: 'the mock' })),
  http.get('/api/*', () => HttpResponse.json({ from: 'the mock' })),
]
await new Promise((resolve) => setTimeout(resolve, 1500))
await globalThis.added
`

/** The requests of web workers and frames that exist before mocking is on. Their scripts have no gate. */
export function testEarlyClients(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, clients that are created before mocking is on`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let server: RunningServer
    /** When the backend answers slow requests. */
    const slow = Promise.withResolvers<void>()

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend({}, (path) => (path.startsWith('/api/slow/') ? slow.promise : undefined)),
        driver.launch({ endsWorkers: true }),
        createProject('test/fixtures/hot', {
          'index.html': page,
          'src/mocks/handlers.js': handlers,
          'elements.html': elements,
          'late-elements.html': lateElements,
          'public/asking.js': asking('script'),
          'public/asking-module.js': asking('module'),
          'public/asking-shared.js': askingShared,
        }),
      ])
      await tool.configure(project, { api: backend.origin })
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

    /** Opens the page, and prints its console if the test fails. */
    async function open(profile: Profile): Promise<TestVisit> {
      const visit = await profile.openPage()
      onTestFailed(async () =>
        console.error(await visit.page.evaluate('JSON.stringify(answers)').catch(String), visit.console.join('\n')),
      )
      await visit.page.goto(server.origin)
      return visit
    }

    /** A page of a profile that has visited before. Without an open page that mocks, the service worker removes itself. */
    async function openLater(): Promise<TestVisit> {
      const profile = await browser.createProfile()
      await readAnswers(await open(profile))
      backend.forget()
      return open(profile)
    }

    const kinds = ['script', 'module', 'mocked', 'blob', 'shared', 'frame', 'cached']
    const allMocked = Object.fromEntries(kinds.map((kind) => [kind, 'the mock']))

    async function readAnswers({ page: on }: TestVisit): Promise<unknown> {
      await waitUntil(on, `Object.keys(globalThis.answers ?? {}).length >= ${kinds.length}`)
      return on.evaluate('answers')
    }

    test('on the first visit, web workers wait for mocking, and the console names the request of a frame', async () => {
      const visit = await open(await browser.createProfile())
      expect(await readAnswers(visit)).toEqual({ ...allMocked, frame: 'the backend' })
      const find = (): string[] => visit.console.filter((line) => line.includes('US0315'))
      await expect.poll(find).toHaveLength(1)
      expect(find()[0]).toMatch(/a request for \S+\/api\/frame: .* about:srcdoc, which .* reload the page/)
      expect(backend.requests).toEqual(['GET /api/frame'])
      backend.forget()
      await visit.profile.close()
    })

    test('on a later visit, requests of frames wait too', async () => {
      const visit = await openLater()
      expect(await readAnswers(visit)).toEqual(allMocked)
      await visit.profile.close()
    })

    test('they wait even if the browser ends the service worker meanwhile', async () => {
      const visit = await openLater()
      await visit.page.reload()
      await visit.endWorkers()
      expect(await readAnswers(visit)).toEqual(allMocked)
      await visit.profile.close()
    })

    test('on the first visit, the console names matched requests of elements that could not wait', async () => {
      const visit = await (await browser.createProfile()).openPage()
      await visit.page.goto(`${server.origin}/elements.html`)
      const find = (): string[] => visit.console.filter((line) => line.includes('US0320'))
      await expect.poll(find).toHaveLength(1)
      const names = ['/api/image', '/api/any-origin', '/api/style.css', '/api/script.js', '/api/preloaded']
      for (const name of names) expect(find()[0]).toContain(server.origin + name)
      expect(find()[0]).not.toContain('/src/main.js')
      // Firefox may request them twice.
      expect(new Set(backend.requests)).toEqual(new Set(names.map((name) => `GET ${name}`)))
      backend.forget()

      visit.console.length = 0
      await visit.page.reload()
      await expect.poll(find).toHaveLength(1)
      expect(find()[0]).toMatch(/requests for (\S+\/api\/(style\.css|script\.js)(, )?){2}: /)
      expect(new Set(backend.requests)).toEqual(new Set(['GET /api/script.js', 'GET /api/style.css']))
      backend.forget()
      await visit.profile.close()
    })

    test('the console also names requests whose responses arrive when mocking is on', async () => {
      const visit = await (await browser.createProfile()).openPage()
      await visit.page.goto(`${server.origin}/late-elements.html`)
      await expect.poll(() => visit.console.join('\n')).toContain('Mocking is on')
      slow.resolve()
      const names = ['/api/slow/script.js', '/api/slow/input']
      const find = (): string => visit.console.filter((line) => line.includes('US0320')).join('\n')
      for (const name of names) await expect.poll(find).toContain(server.origin + name)
      expect(new Set(backend.requests)).toEqual(new Set(names.map((name) => `GET ${name}`)))
      backend.forget()
      await visit.profile.close()
    })
  })
}
