import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { startPageServer, type PageServer, type PageServerOptions } from './page-server.ts'
import { createProject, savingUntil, type Project } from './project.ts'
import type { BrowserDriver, TestBrowser, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'
const allMocked = { imported: 'the mock', entry: 'the mock', dynamic: 'the mock' }

/** Tests pages of another server, for which the tool has modules but no HTML (`entry`). */
export function testPageEntries(tool: BuildTool, driver: BrowserDriver = chromium): void {
  describe(`${tool.name} in ${driver.name}, pages of another server`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let server: RunningServer | undefined
    let pages: PageServer
    let visit: TestVisit

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        driver.launch(),
        createProject('test/fixtures/entry'),
      ])
    })

    afterAll(async () => {
      await Promise.all([browser.close(), backend.close()])
      await project.dispose()
    })

    afterEach(async () => {
      await Promise.all([visit.close(), pages.close(), server?.stop()])
      server = undefined
      const escaped = [...backend.requests]
      backend.forget()
      expect(escaped).toEqual([])
    })

    async function configure(config: object, plugin: object = {}): Promise<void> {
      await project.write(
        'vite.config.js',
        `import understudy from '@understudy/vite-plugin'\n` +
          `export default { ...${JSON.stringify(config)}, plugins: [understudy(${JSON.stringify(plugin)})] }\n`,
      )
    }

    const page = (...scripts: string[]): string =>
      `<!doctype html><link rel="icon" href="data:,"><title>Printed</title>` +
      scripts.map((src) => `<script type="module" src="${src}"></script>`).join('')

    async function open(options: Omit<PageServerOptions, 'api'>): Promise<void> {
      pages = await startPageServer({ ...options, api: backend.origin })
      visit = await browser.openVisit()
      await visit.page.goto(pages.origin)
    }

    const readAnswers = (): Promise<unknown> => visit.page.evaluate('globalThis.answers')
    const inPageLines = (): string[] => visit.console.filter((line) => line.includes('in the page itself'))

    const ways: [how: string, config: object, plugin: object][] = [
      ['found in `build.rollupOptions.input`', { build: { rollupOptions: { input: ['src/main.js'] } } }, {}],
      ['named by the option `entry`', {}, { entry: 'src/main.js' }],
    ]
    // They make no difference to the browser.
    const tested = driver.name === 'Chromium' ? ways : ways.slice(0, 1)
    describe.each(tested)('an entry %s, in development', (_how, config, plugin) => {
      beforeAll(() => configure(config, plugin))

      test('of another origin: the page itself answers, the console says why, and edits are hot', async () => {
        server = await tool.start(project)
        await open({ html: page(`${server.origin}/@vite/client`, `${server.origin}/src/main.js`) })
        await expect.poll(readAnswers).toEqual(allMocked)
        expect(inPageLines()).toEqual([
          expect.stringContaining(
            `the page is on ${pages.origin}, but the service worker's script is on ${server.origin}`,
          ),
        ])

        const original = await project.read(handlersFile)
        await visit.page.evaluate('globalThis.marker = 1')
        const ask = (): Promise<unknown> => visit.page.evaluate('ask("again").then(() => answers.again)')
        await savingUntil(project, handlersFile, original.replace('the mock', 'the edit'), ask).toBe('the edit')
        await savingUntil(project, handlersFile, original, ask).toBe('the mock')
        expect(await visit.page.evaluate('globalThis.marker')).toBe(1)
        expect(visit.errors).toEqual([])
      })

      test('behind a proxy of the same origin: the service worker answers', async () => {
        server = await tool.start(project)
        await open({ html: page('/@vite/client', '/src/main.js'), proxy: server.origin })
        await expect.poll(readAnswers).toEqual(allMocked)
        expect(inPageLines()).toEqual([])
        expect(visit.console.join('\n')).toContain('Mocking is on')
        expect(visit.errors).toEqual([])
      })
    })

    describe('in a build with mocks', () => {
      interface Manifest {
        [source: string]: { file: string }
      }

      async function build(config: { base?: string }, plugin: object = {}): Promise<Manifest> {
        const input = ['src/main.js', 'src/other.js']
        await configure(
          { ...config, build: { manifest: 'manifest.json', rollupOptions: { input } } },
          { enabled: true, ...plugin },
        )
        const { code, output } = await tool.build(project)
        expect(code, output).toBe(0)
        return JSON.parse(await readFile(join(project.folder, 'dist/manifest.json'), 'utf8')) as Manifest
      }

      test('the gate is first, before modules that entries share', async () => {
        const manifest = await build({})
        const files = { folder: join(project.folder, 'dist'), base: '/' }
        await open({ html: page(`/${manifest['src/main.js']?.file}`), files })
        await expect.poll(readAnswers).toEqual(allMocked)
        expect(inPageLines()).toEqual([])
        expect(visit.errors).toEqual([])
      })

      test('files in a folder that does not contain the page: the page itself answers, and the console says why', async () => {
        const manifest = await build({ base: '/build/' })
        const files = { folder: join(project.folder, 'dist'), base: '/build/' }
        await open({ html: page(`/build/${manifest['src/other.js']?.file}`), files })
        await expect.poll(readAnswers).toEqual(allMocked)
        expect(inPageLines()).toEqual([
          expect.stringContaining(`this page is not below ${pages.origin}/build/, which the service worker controls`),
        ])
      })

      test('files below a folder, and a wider scope that the server allows', async () => {
        const manifest = await build({ base: '/build/' }, { worker: { scope: '/' } })
        const headers = { 'Service-Worker-Allowed': '/' }
        const files = { folder: join(project.folder, 'dist'), base: '/build/', headers }
        await open({ html: page(`/build/${manifest['src/other.js']?.file}`), files })
        await expect.poll(readAnswers).toEqual(allMocked)
        expect(inPageLines()).toEqual([])
      })
    })
  })
}
