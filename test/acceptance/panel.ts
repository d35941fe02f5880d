import { chmod, readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'

import type { Browser, Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from './browser.ts'
import type { BuildTool, RunningServer, ToolOptions } from './build-tool.ts'
import { backendAnswer, startBackend, type CountingBackend } from './counting-backend.ts'
import { createProject, savingUntil, type Project } from './project.ts'

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
  'src/elsewhere.js': `import { http, HttpResponse } from '@understudy/engine'

export const elsewhere = [http.get('/api/elsewhere', () => HttpResponse.json({}))]
`,
  'src/main.js': `globalThis.ask = async (path) => {
  const response = await fetch(path)
  return [response.status, await response.text()]
}
`,
  editor: '#!/bin/sh\necho "$@" >> "$(dirname "$0")/opened"\n',
  opened: '',
}

/** The page for people: each tool's dev server serves it, and it knows what the tool made of the app's modules. */
export function testPanel(tool: BuildTool): void {
  describe(`${tool.name}, the panel`, () => {
    let backend: CountingBackend
    let browser: Browser
    let project: Project
    let server: RunningServer
    let app: Visit
    let panel: Page

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        launchBrowser(),
        createProject('test/fixtures/hot', files),
      ])
      await chmod(join(project.folder, 'editor'), 0o755)
      await start()
    })

    afterAll(async () => {
      await Promise.all([browser.close(), server.stop(), backend.close()])
      await project.dispose()
    })

    afterEach(async () => {
      const { errors } = app
      await app.close()
      backend.forget()
      expect(errors).toEqual([])
    })

    async function start(options: ToolOptions = {}): Promise<void> {
      await tool.configure(project, { api: backend.origin, ...options })
      server = await tool.start(project, {
        env: { LAUNCH_EDITOR: join(project.folder, 'editor') },
        // It comes back under the address that it had.
        ...((server as RunningServer | undefined) && { port: server.port }),
      })
    }

    /** The app in a tab, and the panel in another. */
    async function open(base = '/'): Promise<void> {
      app = await openVisit(browser)
      await app.page.goto(server.origin + base)
      expect(await ask('/api/user')).toEqual([200, '{"name":"Ada"}'])
      const { page } = await openPage(app.context)
      page.on('pageerror', ({ message }) => app.errors.push(message))
      await page.goto(`${server.origin}${base}__understudy/`)
      panel = page
    }

    const ask = (path: string): Promise<[status: number, text: string]> =>
      app.page.evaluate(
        (to) => (globalThis as unknown as { ask: (path: string) => Promise<[number, string]> }).ask(to),
        path,
      )

    const row = (header: string): Locator =>
      panel.getByRole('listitem').filter({ has: panel.getByRole('switch', { name: header, exact: true }) })

    test('the server says where it is', async () => {
      await open()
      await server.process.untilSaid(/Understudy: +http:\/\/\S+:\d+\/__understudy\//)
      const said = server.process.output.match(/Understudy: +(http\S+)/g) ?? []
      expect(said).toHaveLength(1)
      expect(said[0]).toContain(`:${server.port}/__understudy/`)
    })

    test('handlers stand there with where they were written, and what they answered', async () => {
      await open()
      await expect.poll(() => row('GET /api/user').textContent()).toMatch(/mocks\/handlers\.js:7.*200.*1 hit/)
      await expect.poll(() => row('GET /api/elsewhere').textContent()).toMatch(/src\/elsewhere\.js:3.*never hit/)
      await ask('/api/user')
      await expect.poll(() => row('GET /api/user').textContent()).toContain('2 hits')
    })

    test('a click on a place opens the editor there', async () => {
      await open()
      for (const [header, place] of [
        ['GET /api/user', 'src/mocks/handlers.js:7'],
        ['GET /api/elsewhere', 'src/elsewhere.js:3'],
      ] as const) {
        await row(header)
          .getByRole('button', { name: `Open ${place} in the editor` })
          .click()
        await expect
          .poll(() => project.read('opened'))
          .toContain(`${join(project.folder, place.replace(/:\d+$/, ''))} ${place.replace(/.*:/, '')} `)
      }
    })

    test('what is switched off and forced holds for the app’s next request', async () => {
      await open()
      await panel.getByRole('switch', { name: 'GET /api/user' }).click()
      await panel.getByText('1 handler overridden').waitFor()
      expect(await ask('/api/user')).toEqual([200, JSON.stringify(backendAnswer)])
      await panel.getByRole('button', { name: 'Reset all' }).click()
      await panel.getByText('1 handler overridden').waitFor({ state: 'detached' })
      await panel.getByRole('button', { name: 'Force an answer of GET /api/user' }).click()
      await panel
        .getByRole('combobox', { name: 'Forced answer of GET /api/user' })
        .selectOption('503 Service Unavailable')
      await row('GET /api/user').getByText('status 503', { exact: true }).waitFor()
      expect(await ask('/api/user')).toEqual([503, '{"name":"Ada"}'])
    })

    test('requests are logged, and misses say what came near', async () => {
      await open()
      expect(await ask('/api/users')).toEqual([200, JSON.stringify(backendAnswer)])
      await panel.getByRole('tab', { name: 'Requests' }).click()
      await panel.getByRole('option', { name: /GET \/api\/users/ }).waitFor()
      await panel.getByRole('tab', { name: 'Misses' }).click()
      const miss = panel.getByRole('listitem').filter({ hasText: '/api/users' }).first()
      expect(await miss.textContent()).toContain('GET /api/user')
    })

    test('an edit of the handlers arrives, with its lines', async () => {
      await open()
      await row('GET /api/user').waitFor()
      const edited = `// A line.\n${files[handlersFile]}`
      await savingUntil(project, handlersFile, edited, () => row('GET /api/user').textContent()).toContain(
        'handlers.js:8',
      )
      await savingUntil(project, handlersFile, files[handlersFile], () => row('GET /api/user').textContent()).toContain(
        'handlers.js:7',
      )
    })

    test('other origins get neither its token nor a path of the disk', async () => {
      await open()
      const address = `${server.origin}/__understudy/`
      const token = (await panel.locator('meta[name=understudy-token]').getAttribute('content')) ?? ''
      expect(token.length).toBeGreaterThan(20)
      const places = { places: [{ file: 'nothing', line: 1, column: 1 }] }
      const { page } = await openPage(app.context)
      await page.goto(`${backend.origin.replace('127.0.0.1', 'localhost')}/`)
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
      const { origin } = server
      expect(await post({})).toBe(403)
      expect(await post({ origin, 'x-understudy-token': 'x'.repeat(token.length) })).toBe(403)
      expect(await post({ origin: 'http://localhost:1', 'x-understudy-token': token })).toBe(403)
      expect(await post({ origin, 'x-understudy-token': token })).toBe(200)
      // A name of someone else's that leads to this machine.
      const rebound = await askAs(server.port, 'rebound.example.com')
      expect(rebound.status).toBe(403)
      expect(rebound.text).not.toContain('understudy-token')
    })

    test('a file that is no module of the app is not revealed', async () => {
      await open()
      const token = (await panel.locator('meta[name=understudy-token]').getAttribute('content')) ?? ''
      const places = [
        `${server.origin}/package.json`,
        `${server.origin}/../package.json`,
        'file:///etc/passwd',
        'webpack-internal:///./package.json',
        'webpack://app/./package.json?',
      ].map((file) => ({ file, line: 1, column: 1 }))
      const answer = await fetch(`${server.origin}/__understudy/locate`, {
        method: 'POST',
        headers: { origin: server.origin, 'x-understudy-token': token },
        body: JSON.stringify({ places }),
      })
      expect(await answer.json()).toEqual({ places: places.map(() => null) })
    })

    test('under a base path, and with "panel: false" not at all', async () => {
      await server.stop()
      await start({ base: '/app/' })
      await open('/app/')
      await expect.poll(() => row('GET /api/user').textContent()).toMatch(/mocks\/handlers\.js:7/)
      await server.process.untilSaid(/Understudy: +http:\/\/\S+\/app\/__understudy\//)
      await app.close()

      await server.stop()
      await start({ plugin: { panel: false } })
      await open()
      expect(await panel.content()).not.toContain('understudy-token')
      expect(server.process.output).not.toContain('__understudy')
      // A page that is not seen has no channel to tell of itself by.
      expect(await listChannels()).toEqual([])
      await app.close()

      await server.stop()
      await start()
      await open()
      expect(await listChannels()).toEqual(['understudy:inspection'])
    })

    /** The channels that the app's page opens, by their names. */
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
      return app.page.evaluate('names')
    }

    test('a demo is not seen by panels', async () => {
      await open()
      await tool.configure(project, { plugin: { enabled: true } })
      const { code, output } = await tool.build(project)
      expect(code, output).toBe(0)
      const folder = join(project.folder, 'dist')
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const scripts = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
      const texts = await Promise.all(scripts.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
      expect(texts.join('')).toContain('/api/elsewhere')
      expect(texts.join('')).not.toContain('understudy:inspection')
    })
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
