import { chmod, readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'

import type { BuildTool, Extent, ServerOptions, ToolOptions } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { backendAnswer } from './counting-backend.ts'
import { choosing, part, row, seenPlaces, typing, watchPlaces } from './panel-parts.ts'
import { savingUntil, type Project } from './project.ts'
import { serveProject } from './serve-project.ts'
import { waitUntil, type BrowserDriver, type TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

const files = {
  [handlersFile]: `import { http, HttpResponse } from '@understudy/engine'
import { elsewhere } from '../elsewhere.js'

const user = { name: 'Ada' }

export const handlers = [
  http.get('/api/user', () => HttpResponse.json(user)),
  ...elsewhere,
]
`,
  'src/elsewhere.js': `import { http, HttpResponse, sse } from '@understudy/engine'

export const elsewhere = [http.get('/api/elsewhere', () => HttpResponse.json({})), sse('/api/events', () => {})]
`,
  'src/main.js': `globalThis.ask = async (path) => {
  const response = await fetch(path)
  return [response.status, await response.text()]
}
`,
  editor: '#!/bin/sh\necho "$@" >> "$(dirname "$0")/opened"\n',
  opened: '',
}

const withEditor = (project: Project): ServerOptions => ({
  env: { LAUNCH_EDITOR: join(project.folder, 'editor') },
})

/** Tests the panel, which each tool's dev server serves and which shows the source positions of handlers. */
export function testPanel(tool: BuildTool, driver: BrowserDriver = chromium, extent: Extent = 'all'): void {
  describe(`${tool.name} in ${driver.name}, the panel`, () => {
    let app: TestVisit
    let panel: TestVisit

    const served = serveProject(tool, {
      launch: () => driver.launch(),
      files,
      prepare: (project) => chmod(join(project.folder, 'editor'), 0o755),
      serverOptions: withEditor,
    })

    afterEach(async () => {
      const errors = [...app.errors, ...panel.errors]
      await app.close()
      served.backend.forget()
      expect(errors).toEqual([])
    })

    /** Restarts the server at the same URL, with other settings. */
    async function restart(options: ToolOptions): Promise<void> {
      const { project, server, backend } = served
      await server.stop()
      await tool.configure(project, { api: backend.origin, ...options })
      served.server = await tool.start(project, { ...withEditor(project), port: server.port })
    }

    /** Opens the app in a tab, and the panel in another one. */
    async function open(base = '/'): Promise<void> {
      app = await served.browser.openVisit()
      await app.page.goto(served.server.origin + base)
      expect(await ask('/api/user')).toEqual([200, '{"name":"Ada"}'])
      panel = await app.profile.openPage()
      await panel.page.goto(`${served.server.origin}${base}__understudy/`)
    }

    const textOf = (expression: string): Promise<string> =>
      panel.page.evaluate<string>(`${expression}?.textContent ?? ''`)

    const readToken = (): Promise<string> =>
      panel.page.evaluate<string>("document.querySelector('meta[name=understudy-token]').content")

    const ask = (path: string): Promise<[status: number, text: string]> =>
      app.page.evaluate(
        (to) => (globalThis as unknown as { ask: (path: string) => Promise<[number, string]> }).ask(to),
        path,
      )

    test('the server prints its URL, the console links to it, and it lists the handlers with their places', async () => {
      await open()
      await served.server.process.untilSaid(/Understudy: +http:\/\/\S+:\d+\/__understudy\//)
      const said = served.server.process.output.match(/Understudy: +(http\S+)/g) ?? []
      expect(said).toHaveLength(1)
      expect(said[0]).toContain(`:${served.server.port}/__understudy/`)
      await expect
        .poll(() => app.console.find((line) => line.includes('Mocking is on')))
        .toMatch(new RegExp(`Mocking is on\\. Handlers: \\d+\\. Panel: ${served.server.origin}/__understudy/$`))

      await panel.page.addInitScript(watchPlaces)
      await panel.page.reload()
      await expect.poll(() => textOf(row('GET /api/user'))).toMatch(/mocks\/handlers\.js:7.*200.*1 hit/)
      await expect.poll(() => textOf(row('GET /api/elsewhere'))).toMatch(/src\/elsewhere\.js:3.*never hit/)
      await ask('/api/user')
      await expect.poll(() => textOf(row('GET /api/user'))).toContain('2 hits')
      // The page knows only the positions in the code that the build tool generated.
      expect(await panel.page.evaluate(seenPlaces)).toEqual(
        ['src/elsewhere.js:3', 'src/mocks/handlers.js:7'].map((place) => `Open ${place} in the editor`),
      )

      // A click on a place opens the editor there.
      for (const [header, place] of [
        ['GET /api/user', 'src/mocks/handlers.js:7'],
        ['GET /api/elsewhere', 'src/elsewhere.js:3'],
      ] as const) {
        await panel.click(`${row(header)}?.querySelector('[aria-label="Open ${place} in the editor"]')`)
        await expect
          .poll(() => served.project.read('opened'))
          .toContain(`${join(served.project.folder, place.replace(/:\d+$/, ''))} ${place.replace(/.*:/, '')} `)
      }
    })

    test('an edit of the handlers arrives, with its lines', async () => {
      await open()
      await expect.poll(() => textOf(row('GET /api/user'))).toContain('handlers.js:7')
      const edited = `// A line.\n${files[handlersFile]}`
      await savingUntil(served.project, handlersFile, edited, () => textOf(row('GET /api/user'))).toContain(
        'handlers.js:8',
      )
      await savingUntil(served.project, handlersFile, files[handlersFile], () =>
        textOf(row('GET /api/user')),
      ).toContain('handlers.js:7')
    })

    test('other origins get neither its token nor a path of the disk', async () => {
      await open()
      const address = `${served.server.origin}/__understudy/`
      const token = await readToken()
      expect(token.length).toBeGreaterThan(20)
      const places = { places: [{ file: 'nothing', line: 1, column: 1 }] }
      const { page } = await app.profile.openPage()
      await page.goto(`${served.backend.origin.replace('127.0.0.1', 'localhost')}/`)
      const seen = await page.evaluate(
        async ([to, body, stolen]) => {
          const headers = { 'Content-Type': 'application/json', 'X-Understudy-Token': stolen }
          const read = (path: string, init?: RequestInit): Promise<string> =>
            fetch(path, init).then(
              (response) => response.text(),
              (error: Error) => error.name,
            )
          return [await read(to), await read(`${to}locate`, { method: 'POST', headers, body })]
        },
        [address, JSON.stringify(places), token] as const,
      )
      expect(seen).toEqual(['TypeError', 'TypeError'])

      const post = async (headers: Record<string, string>): Promise<number> =>
        (await fetch(`${address}locate`, { method: 'POST', headers, body: JSON.stringify(places) })).status
      const { origin } = served.server
      expect(await post({})).toBe(403)
      expect(await post({ origin, 'x-understudy-token': 'x'.repeat(token.length) })).toBe(403)
      expect(await post({ origin: 'http://localhost:1', 'x-understudy-token': token })).toBe(403)
      expect(await post({ origin, 'x-understudy-token': token })).toBe(200)
      // A foreign host name that resolves to this machine.
      const rebound = await askAs(served.server.port, 'rebound.example.com')
      expect(rebound.status).toBe(403)
      expect(rebound.text).not.toContain('understudy-token')
    })

    testViews()

    // What follows tests the servers and the builds of tools, whatever the browser is.
    if (driver !== chromium) return

    test('a file that is not a module of the app is not revealed', async () => {
      await open()
      const token = await readToken()
      const places = [
        `${served.server.origin}/package.json`,
        `${served.server.origin}/../package.json`,
        'file:///etc/passwd',
        'webpack-internal:///./package.json',
        'webpack://app/./package.json?',
      ].map((file) => ({ file, line: 1, column: 1 }))
      const answer = await fetch(`${served.server.origin}/__understudy/locate`, {
        method: 'POST',
        headers: { origin: served.server.origin, 'x-understudy-token': token },
        body: JSON.stringify({ places }),
      })
      expect(await answer.json()).toEqual({ places: places.map(() => null) })
    })

    test('under a base path, and with "panel: false" not at all', async () => {
      await restart({ base: '/app/' })
      await open('/app/')
      await expect.poll(() => textOf(row('GET /api/user'))).toMatch(/mocks\/handlers\.js:7/)
      await served.server.process.untilSaid(/Understudy: +http:\/\/\S+\/app\/__understudy\//)
      expect(await listChannels()).toEqual(['understudy:inspection'])
      await app.close()

      await restart({ plugin: { panel: false } })
      await open()
      expect(await panel.page.evaluate<string>('document.documentElement.outerHTML')).not.toContain('understudy-token')
      expect(served.server.process.output).not.toContain('__understudy')
      // Without the panel, the page opens no channel.
      expect(await listChannels()).toEqual([])
    })

    /** Returns the names of the channels that the app's page opens. */
    async function listChannels(): Promise<string[]> {
      await app.page.addInitScript(() => {
        const names: string[] = []
        Object.assign(globalThis, { names })
        globalThis.BroadcastChannel = class extends BroadcastChannel {
          constructor(name: string) {
            super(name)
            names.push(name)
          }
        }
      })
      await app.page.reload()
      await ask('/api/user')
      return app.page.evaluate<string[]>('names')
    }

    test('a demo is not seen by panels', async () => {
      await open()
      await tool.configure(served.project, { plugin: { enabled: true } })
      const { code, output } = await tool.build(served.project)
      expect(code, output).toBe(0)
      const folder = join(served.project.folder, 'dist')
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const scripts = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
      const texts = await Promise.all(scripts.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
      expect(texts.join('')).toContain('/api/elsewhere')
      expect(texts.join('')).not.toContain('understudy:inspection')
    })

    /** Tests code that is the same with each build tool. */
    function testViews(): void {
      if (extent === 'main') return

      test('disabled handlers and overrides apply to the app’s next request', async () => {
        await open()
        await panel.click(part('switch', { name: 'GET /api/user' }))
        await waitUntil(panel.page, "document.body.innerText.includes('1 handler overridden')")
        expect(await ask('/api/user')).toEqual([200, JSON.stringify(backendAnswer)])
        await panel.click(part('button', { name: 'Reset all' }))
        await waitUntil(panel.page, "!document.body.innerText.includes('1 handler overridden')")
        await panel.click(part('button', { name: 'Force an answer of GET /api/user' }))
        const answers = part('combobox', { name: 'Forced answer of GET /api/user' })
        await waitUntil(panel.page, answers)
        await panel.page.evaluate(choosing(answers, '503 Service Unavailable'))
        await waitUntil(panel.page, `${row('GET /api/user')}.innerText.includes('status 503')`)
        expect(await ask('/api/user')).toEqual([503, '{"name":"Ada"}'])
      })

      test('requests are logged, and unhandled ones show the nearest handlers', async () => {
        await open()
        expect(await ask('/api/users')).toEqual([200, JSON.stringify(backendAnswer)])
        await panel.click(part('tab', { text: 'Requests' }))
        await waitUntil(panel.page, part('option', { text: '/api/users' }))
        await panel.click(part('tab', { text: 'Unhandled' }))
        await expect.poll(() => textOf(part('listitem', { text: '/api/users' }))).toMatch(/GET \/api\/user(?!s)/)
      })

      test('an event that is sent by hand reaches the app', async () => {
        await open()
        await app.page.evaluate(`new Promise((resolve) => {
          globalThis.received = []
          const source = new EventSource('/api/events')
          source.onmessage = ({ data }) => received.push(data)
          source.onopen = resolve
        })`)
        await panel.click(part('tab', { text: 'Requests' }))
        await panel.click(part('option', { text: '/api/events' }))
        await waitUntil(panel.page, `document.querySelector('input[aria-label="Data of the event"]')`)
        await panel.page.evaluate(typing(`document.querySelector('input[aria-label="Data of the event"]')`, 'by hand'))
        await panel.click(part('button', { name: 'Send' }))
        await waitUntil(app.page, 'received.length > 0')
        expect(await app.page.evaluate('received')).toEqual(['by hand'])
      })
    }
  })
}

/** `fetch` would set the header itself. */
function askAs(port: number, host: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/__understudy/', headers: { host } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
      .on('error', reject)
      .end()
  })
}
