import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, type Project } from './project.ts'
import { waitUntil, type BrowserDriver, type Profile, type TestBrowser, type TestPage } from './test-browser.ts'

/** What makes requests in web workers and frames that the page's first script creates, before mocking is on. */
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
  addEventListener('message', ({ data }) => (answers.frame = data))
</script></head><body><script>
  if (navigator.serviceWorker.controller) {
    const script = '<script>' + toCode('frame').replace('answer', "(from) => parent.postMessage(from, '*')") + '</scr' + 'ipt>'
    document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: script }))
  }
</script><script type="module" src="/src/main.js"></script></body></html>`

const asking = (kind: string): string =>
  `fetch('/api/${kind}').then((r) => r.json()).then(({ from }) => from, String).then(postMessage)`

const handlers = `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.get('/api/worker', () => new HttpResponse('postMessage("the mock")', { headers: { 'Content-Type': 'text/javascript' } })),
  http.get('/api/*', () => HttpResponse.json({ from: 'the mock' })),
]
await new Promise((resolve) => setTimeout(resolve, 1500))
`

/** The requests of web workers and frames that exist before mocking is on. Their scripts have no gate. */
export function testEarlyClients(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, clients that are created before mocking is on`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let server: RunningServer
    let profile: Profile

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        driver.launch({ endsWorkers: true }),
        createProject('test/fixtures/hot', {
          'index.html': page,
          'src/mocks/handlers.js': handlers,
          'public/asking.js': asking('script'),
          'public/asking-module.js': asking('module'),
        }),
      ])
      await tool.configure(project, { api: backend.origin })
      server = await tool.start(project)
      profile = await browser.createProfile()
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

    async function readAnswers(on: TestPage, count: number): Promise<unknown> {
      await waitUntil(on, `Object.keys(globalThis.answers ?? {}).length >= ${count}`)
      return on.evaluate('answers')
    }

    const ofWorkers = { script: 'the mock', module: 'the mock', mocked: 'the mock', blob: 'the mock' }

    test('on the first visit, web workers wait for mocking', async () => {
      const visit = await profile.openPage()
      await visit.page.goto(server.origin)
      expect(await readAnswers(visit.page, 4)).toEqual(ofWorkers)
      await visit.close()
    })

    test('on a later visit, requests of frames wait too', async () => {
      const visit = await profile.openPage()
      await visit.page.goto(server.origin)
      expect(await readAnswers(visit.page, 5)).toEqual({ ...ofWorkers, frame: 'the mock' })
      await visit.close()
    })

    test('so they do where the browser ends the worker meanwhile', async () => {
      const visit = await profile.openPage()
      await visit.page.goto(server.origin)
      await visit.page.reload()
      await visit.endWorkers()
      expect(await readAnswers(visit.page, 5)).toEqual({ ...ofWorkers, frame: 'the mock' })
      await visit.close()
    })
  })
}
