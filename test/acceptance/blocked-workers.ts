import { afterEach, describe, expect, onTestFailed, test } from 'vitest'

import type { BuildTool } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { checkConstructor, startNested } from './nested-workers.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestVisit } from './test-browser.ts'

/** What the web workers run: at each message, requests that block their thread until the responses arrive. */
const script = `
const answer = (origin, port) => {
  port.postMessage([origin, ['/api/imported.js', '/other.js', '/api/requested', '/api/other'].map((path) => {
    try {
      self.from = undefined
      if (path.endsWith('.js')) importScripts(origin + path)
      else {
        const request = new XMLHttpRequest()
        request.open('GET', origin + path, false)
        request.send()
        self.from = JSON.parse(request.responseText).from
      }
      return self.from
    } catch (error) {
      return String(error)
    }
  })])
}
self.onmessage = ({ data }) => {
  if (self.child) return self.child.postMessage(data)
  if (!data.nested) return answer(data.origin, self)
  ${checkConstructor}
  self.child = new Worker(data.nested)
  self.child.onmessage = (event) => self.postMessage(event.data)
  self.postMessage('created')
}
self.onconnect = ({ ports: [port] }) => (port.onmessage = ({ data }) => answer(data.origin, port))
`

/** Asks each kind of web worker to make its requests. */
const page = `<!doctype html><html><head><title>Blocked workers</title><link rel="icon" href="data:,"></head><body>
<script>
  const blob = URL.createObjectURL(new Blob([${JSON.stringify(script)}]))
  const ports = {}
  const startNested = ${startNested}
  const create = {
    url: () => new Worker('/blocked.js'),
    blob: () => new Worker(blob),
    nested: () => startNested(() => {
      const outer = new Worker(blob)
      outer.postMessage({ nested: blob })
      return outer
    }),
    'shared url': () => new SharedWorker('/blocked.js').port,
    'shared blob': () => new SharedWorker(blob).port,
  }
  window.block = async (kind) => {
    const port = await (ports[kind] ??= create[kind]())
    return new Promise((resolve) => {
      port.onmessage = ({ data }) => resolve(data[1].join())
      port.postMessage({ origin: location.origin })
    })
  }
  /** Creates a module worker that imports modules before it runs, and revokes its URL at once. */
  window.importIn = (Class) => new Promise((resolve) => {
    const code = "import { from } from '" + location.origin + "/api/module.js';" +
      "import { from as other } from '" + location.origin + "/other-module.js';" +
      "const reply = (port) => (port.onmessage = ({ data }) => port.postMessage([from, other, data].join()));" +
      "self.onconnect = ({ ports: [port] }) => reply(port); if (self.postMessage) reply(self)"
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    const created = new Class(url, { type: 'module' })
    URL.revokeObjectURL(url)
    created.onerror = () => resolve('error')
    const port = created.port ?? created
    port.onmessage = ({ data }) => resolve(data)
    port.postMessage('posted at once')
  })
  // Before mocking is on.
  window.earlyImport = importIn(Worker)
  window.early = block('blob')
</script>
<script type="module" src="/src/main.js"></script></body></html>`

const handlers = `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.get('/api/imported.js', () => new HttpResponse('self.from = "the mock"', { headers: { 'Content-Type': 'text/javascript' } })),
  http.get('/api/module.js', () => new HttpResponse('export const from = "the mock"', { headers: { 'Content-Type': 'text/javascript' } })),
  http.get('/api/requested', () => HttpResponse.json({ from: 'the mock' })),
]
`

const kinds = ['url', 'blob', 'nested', 'shared url', 'shared blob'] as const

/** Tests the requests that block the thread of a web worker: `importScripts()` and a synchronous XMLHttpRequest. */
export function testBlockedWorkers(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, web workers that block`, () => {
    const served = serveProject(tool, {
      launch: () => driver.launch({ endsWorkers: true }),
      files: {
        'index.html': page,
        'src/mocks/handlers.js': handlers,
        'public/blocked.js': script,
        'public/other.js': 'self.from = "the server"',
        'public/other-module.js': 'export const from = "the server"',
      },
    })
    afterEach(() => {
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    async function open(): Promise<TestVisit> {
      const visit = await served.browser.openVisit()
      onTestFailed(() => console.error(visit.console.join('\n')))
      await visit.page.goto(served.server.origin)
      return visit
    }

    /** Expects that handlers answer the requests that they match, and that the server answers the others. */
    async function expectAnswers({ page: on }: TestVisit, kind: (typeof kinds)[number]): Promise<void> {
      const answers = await on.evaluate(`block('${kind}')`)
      expect(answers, kind).toBe('the mock,the server,the mock,the backend')
      expect(served.backend.requests, kind).toEqual(['GET /api/other'])
      served.backend.forget()
    }

    /** Waits for the requests that the page makes before mocking is on. */
    async function forgetEarly({ page: on }: TestVisit): Promise<void> {
      expect(await on.evaluate('early')).toBe('the mock,the server,the mock,the backend')
      served.backend.forget()
    }

    /** Opens the page and waits for the requests that it makes before mocking is on. */
    async function openReady(): Promise<TestVisit> {
      const visit = await open()
      await forgetEarly(visit)
      return visit
    }

    test.each(['first', 'later'])(
      'modules that a worker with a blob: URL imports, on the %s visit',
      async (ordinal) => {
        const visit = await openReady()
        if (ordinal === 'later') {
          await visit.page.reload()
          await forgetEarly(visit)
        }
        for (const code of ['earlyImport', 'importIn(Worker)', 'importIn(SharedWorker)'])
          expect(await visit.page.evaluate(code), code).toBe('the mock,the server,posted at once')
        // The page reads the scripts with synchronous requests, which do not go to the network.
        expect(visit.console.join('\n')).not.toMatch(/synchronous/i)
        await visit.close()
      },
    )

    test('only a web worker gets the script that its URL contains', async () => {
      const visit = await openReady()
      const answers = await visit.page.evaluate(`(async () => {
        const script = 'self.ran = true; self.onconnect = ({ ports: [port] }) => port.postMessage("ran"); self.postMessage?.("ran")'
        const url = location.origin + '/?understudy-script=' + encodeURIComponent(script)
        const untilMessage = (port) => new Promise((resolve) => (port.onmessage = ({ data }) => resolve(data)))
        const request = new XMLHttpRequest()
        request.open('GET', url)
        request.send()
        await new Promise((resolve) => (request.onloadend = resolve))
        const element = Object.assign(document.createElement('script'), { src: url })
        await new Promise((resolve) => {
          element.onload = element.onerror = resolve
          document.body.append(element)
        })
        const texts = [await (await fetch(url)).text(), request.responseText]
        const imported = [await import(url).then(() => 'imported', () => 'refused')]
        const code = 'try { importScripts(' + JSON.stringify(url) + ') } catch {} self.postMessage(String(self.ran))'
        imported.push(await untilMessage(new Worker(URL.createObjectURL(new Blob([code])))))
        return {
          worker: await untilMessage(new Worker(url)),
          sharedWorker: await untilMessage(new SharedWorker(url).port),
          containScript: texts.map((text) => text.includes('self.ran')),
          imported,
          ran: String(globalThis.ran),
        }
      })()`)
      expect(answers).toEqual({
        worker: 'ran',
        sharedWorker: 'ran',
        containScript: [false, false],
        imported: ['refused', 'undefined'],
        ran: 'undefined',
      })
      await visit.close()
    })

    test('the page answers each kind of web worker on the first visit', async () => {
      const visit = await openReady()
      for (const kind of kinds) await expectAnswers(visit, kind)
      await visit.close()
    })

    test('the page answers each kind on a later visit, and after the browser has ended the service worker', async () => {
      const visit = await openReady()
      await visit.page.reload()
      await forgetEarly(visit)
      for (const kind of kinds) {
        await expectAnswers(visit, kind)
        await visit.endWorkers()
        await expectAnswers(visit, kind)
      }
      await visit.close()
    })
  })
}
