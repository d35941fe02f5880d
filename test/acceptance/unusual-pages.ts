import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { serveProject } from './serve-project.ts'
import { waitUntil, type BrowserDriver, type TestVisit } from './test-browser.ts'

const toPage = (head: string, body = ''): string =>
  `<!doctype html><html><head><title>Unusual</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`

/** The host of another origin. Nothing listens on its port. */
const otherHost = 'other.test'
const otherOrigin = `http://${otherHost}:8080`

const handlers = `import { http, HttpResponse } from '@understudy/engine'
const pixels = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'
const toScript = (code) => () => new HttpResponse(code, { headers: { 'Content-Type': 'text/javascript' } })
export const handlers = [
  http.get('*/api/user', () => HttpResponse.json({ from: 'the mock' })),
  http.get('*/api/stream', () => new HttpResponse(new Blob(['streamed']).stream())),
  http.get('*/api/image', () => new HttpResponse(pixels, { headers: { 'Content-Type': 'image/svg+xml' } })),
  http.get('*/api/script.js', toScript('self.scriptFrom = "the mock"')),
]
`

/** Makes a request with a script, and one with an image. */
const ask = `(async () => {
  const { from } = await (await fetch('/api/user')).json()
  const image = new Image()
  image.src = '/api/image'
  await image.decode().catch(() => {})
  return [from, image.naturalWidth]
})()`

/** Tests pages that replace their document, have another base, or are isolated, and other rare uses of the platform. */
export function testUnusualPages(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, unusual pages`, () => {
    let isolated: RunningServer
    let visit: TestVisit

    const served = serveProject(tool, {
      launch: () => driver.launch({ hosts: [otherHost], endsWorkers: true }),
      files: {
        'index.html': toPage(''),
        'base.html': toPage(`<base href="${otherOrigin}/deep/">`),
        'written.html': toPage('', `<script>document.write('<img src="/api/image">')</script>`),
        'src/mocks/handlers.js': handlers,
      },
      options: { plugin: { expose: true } },
      async prepare(project) {
        await project.edit(
          'vite.config.js',
          '"server":{',
          `"server":{headers:process.env.ISOLATED?{'Cross-Origin-Opener-Policy':'same-origin','Cross-Origin-Embedder-Policy':'require-corp'}:{},`,
        )
      },
    })
    beforeAll(async () => {
      isolated = await tool.start(served.project, { env: { ISOLATED: 'yes' } })
    })
    afterAll(() => isolated.stop())
    beforeEach(async () => {
      visit = await served.browser.openVisit()
      onTestFailed(() => console.error(visit.console.join('\n')))
    })
    afterEach(async () => {
      await visit.close()
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    async function open(path: string, { origin } = served.server): Promise<void> {
      visit.console.length = 0
      await visit.page.goto(origin + path)
      await expect.poll(() => visit.console.join('\n')).toContain('Mocking is on')
    }

    const evaluate = (code: string): Promise<unknown> => visit.page.evaluate(code)

    test('elements that a script writes while the page loads are mocked on a later visit', async () => {
      await open('/')
      await open('/written.html')
      await expect.poll(() => evaluate('document.images[0]?.naturalWidth')).toBe(7)
    })

    test('a page that replaces its document stays mocked, also after the worker has ended', async () => {
      await open('/')
      await evaluate(`(() => {
        document.open()
        document.write('<img src="/api/image"><script>globalThis.written = ' + ${JSON.stringify(ask)} + '</scr' + 'ipt>')
        document.close()
      })()`)
      await waitUntil(visit.page, 'document.images[0]?.naturalWidth > 0')
      expect(await evaluate('written')).toEqual(['the mock', 7])
      await visit.endWorkers()
      expect(await evaluate(ask)).toEqual(['the mock', 7])
      expect(
        await evaluate(`(() => {
          const { http, HttpResponse, worker } = globalThis.understudy
          worker.use(http.get('/api/added', () => HttpResponse.text('added')))
          return fetch('/api/added').then((response) => response.text())
        })()`),
      ).toBe('added')
    })

    test('the base of the URLs is another origin', async () => {
      for (let visits = 0; visits < 2; visits += 1) {
        await open('/base.html')
        expect(await evaluate(`(async () => [document.baseURI, ...(await ${ask})])()`)).toEqual([
          `${otherOrigin}/deep/`,
          'the mock',
          7,
        ])
      }
      expect(visit.console.join('\n')).not.toContain('in the page itself')
    })

    test('the page is isolated from other origins: mocked responses of other origins load', async () => {
      await open('/', isolated)
      expect(
        await evaluate(`(async () => {
          const cors = await (await fetch('${otherOrigin}/api/user')).json()
          const noCors = await fetch('${otherOrigin}/api/user', { mode: 'no-cors' }).then(({ status }) => status, String)
          const image = new Image()
          image.src = '${otherOrigin}/api/image'
          await image.decode().catch(() => {})
          return [crossOriginIsolated, cors.from, noCors, image.naturalWidth]
        })()`),
      ).toEqual([true, 'the mock', 200, 7])
    })

    test('the page is isolated: module workers and shared workers with blob: URLs', async () => {
      await open('/', isolated)
      const create = (name: string): Promise<unknown> =>
        evaluate(`new Promise((resolve) => {
          const code = "import '" + location.origin + "/api/script.js';" +
            "self.onconnect = ({ ports: [port] }) => port.postMessage(scriptFrom);" +
            "if (self.postMessage) self.postMessage(scriptFrom + ' ' + crossOriginIsolated)"
          const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
          const created = new ${name}(url, { type: 'module' })
          created.onerror = ({ message }) => resolve('error ' + message)
          ;(created.port ?? created).onmessage = ({ data }) => resolve(data)
        })`)
      expect(await create('Worker')).toBe('the mock true')
      expect(await create('SharedWorker')).toBe('the mock')
    })

    test('a reader with its own buffer reads a mocked stream', async () => {
      await open('/')
      expect(
        await evaluate(`(async () => {
          const reader = (await fetch('/api/stream')).body.getReader({ mode: 'byob' })
          const texts = []
          for (let buffer = new ArrayBuffer(4); ;) {
            const { done, value } = await reader.read(new Uint8Array(buffer))
            if (done) return [...texts, value.length]
            texts.push(new TextDecoder().decode(value))
            buffer = value.buffer
          }
        })()`),
      ).toEqual(['stre', 'amed', 0])
    })
  })
}
