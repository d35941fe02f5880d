/**
 * Tests features of webpack and similar bundlers: kinds of entries and output, lazy compilation, module federation,
 * public paths, several compilers, servers that other code starts.
 */
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, repository, savingUntil, type Project } from '../acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../acceptance/run-tool.ts'
import type { Bundler } from './webpack.ts'

const ask = `const ask = (name) => fetch('/api/' + name).then((response) => response.json()).then(({ text }) => {
  (globalThis.answers ??= {})[name] = text
})
globalThis.ask = ask
`

const handlersOf = (path: string, text = 'the mock'): string => `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('/api/${path}', () => HttpResponse.json({ text: '${text}' }))]
`

const page = (src: string): string =>
  `<!doctype html><meta charset="utf-8" /><title>App</title><link rel="icon" href="data:," /><script src="${src}"></script>`

const files = {
  'src/mocks/handlers.js': handlersOf('*'),
  'src/mocks/host.js': handlersOf('host'),
  'src/mocks/remote.js': handlersOf('remote'),
  'src/mocks/lazy.js': `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
  http.get('/api/late', async () => HttpResponse.json({ text: (await import('./late.js')).text })),
  http.get('/api/*', () => HttpResponse.json({ text: 'the mock' })),
]
`,
  'src/mocks/late.js': "export const text = 'the mock'",
  // CommonJS: ECMAScript modules have no `require.context`.
  'src/context/package.json': '{}',
  'src/context/handlers.js': `const context = require.context('./features', true, /\\.js$/)
exports.handlers = context.keys().flatMap((key) => context(key).handlers)
`,
  'src/context/features/one.js': handlersOf('one'),
  'src/one.js': `${ask}ask('one')`,
  'src/two.js': `${ask}ask('two')`,
  'src/required.cjs': `${ask}ask('required')`,
  'src/common.cjs': `require('./required.cjs')\n${ask}ask('common')`,
  'src/library.js': `${ask}ask('library')\nexport const answer = 42`,
  'src/lazy.js': `${ask}ask('lazy')\nask('late')\nimport('./two.js')`,
  'src/host.js': `${ask}ask('host')\nimport('remote/widget')`,
  'src/widget.js': `${ask}ask('remote')`,
  'public/beside.html': page('/static/main.js'),
}

/** Each is a separate compiler with a page below its name. One server serves all of them. */
const compilers = `
  { name: 'common', entry: './src/common.cjs' },
  {
    name: 'array',
    entry: ['./src/one.js', './src/two.js'],
    options: { worker: { file: 'mocks/worker.js', scope: '/array/' } },
  },
  { name: 'several', entry: { one: './src/one.js', two: './src/two.js' } },
  { name: 'function', entry: () => Promise.resolve({ main: './src/one.js' }) },
  { name: 'dependent', entry: { main: { import: './src/two.js', dependOn: 'shared' }, shared: './src/one.js' } },
  {
    name: 'runtime',
    entry: { one: './src/one.js', two: './src/two.js' },
    optimization: { runtimeChunk: 'single', splitChunks: { chunks: 'all' } },
  },
  { name: 'library', entry: './src/library.js', output: { library: { name: 'Library', type: 'window' } } },
  { name: 'module', entry: './src/one.js', output: { module: true }, experiments: { outputModule: true } },
  // The page is not part of its output, and is outside of its public path.
  { name: 'static', entry: './src/one.js' },
  { name: 'server', entry: './src/one.js', target: 'node' },
  {
    name: 'host',
    entry: './src/host.js',
    plugins: [new ModuleFederationPlugin({ remotes: { remote: 'remote@/remote/entry.js' } })],
    options: { handlers: 'src/mocks/host.js' },
  },
  {
    name: 'remote',
    entry: {},
    plugins: [
      new ModuleFederationPlugin({ name: 'remote', filename: 'entry.js', exposes: { './widget': './src/widget.js' } }),
    ],
    options: { handlers: 'src/mocks/remote.js' },
  },
`

/**
 * For each page: the names that it requests, and the path and scope of its worker, if that is not the page's folder.
 */
const pages: Record<string, { names: string[]; worker?: { scope: string; script: string } }> = {
  'common/': { names: ['required', 'common'] },
  'array/': { names: ['one', 'two'], worker: { scope: 'array/', script: 'array/mocks/worker.js' } },
  'several/': { names: ['one', 'two'] },
  'function/': { names: ['one'] },
  'dependent/': { names: ['one', 'two'] },
  'runtime/': { names: ['one', 'two'] },
  'library/': { names: ['library'] },
  'module/': { names: ['one'] },
  'beside.html': { names: ['one'], worker: { scope: '', script: 'static/understudy-worker.js' } },
  'host/': { names: ['host', 'remote'] },
}

/** A bundler with the names of its plugins and settings. */
export interface Kind extends Bundler {
  /** The start of a configuration's text, which declares `HtmlPlugin` and `ModuleFederationPlugin`. */
  imports: string
  /** Sets lazy compilation of a configuration. */
  lazy: string
  /** A script that creates a compiler from `config`, and starts a dev server with its options. */
  start: string
  /** Whether its dev server also accepts the configuration's own object. */
  takesOwnOptions?: boolean
}

export function testKinds(bundler: Kind): void {
  const { name, imports, lazy, start, devServer: settings = {}, env = {} } = bundler
  const cli = join(repository, bundler.cli)

  describe(`${name}, entries and outputs`, () => {
    let backend: CountingBackend
    let browser: Browser
    let project: Project
    let server: ToolProcess | undefined
    let visit: Visit | undefined

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        launchBrowser(),
        createProject('test/fixtures/hot', files),
      ])
    })

    afterAll(async () => {
      await Promise.all([browser.close(), server?.stop(), backend.close()])
      await project.dispose()
    })

    afterEach(async () => {
      await Promise.all([visit?.close(), server?.stop()])
      const escaped = [...backend.requests]
      backend.forget()
      expect({ escaped, errors: visit?.errors ?? [] }).toEqual({ escaped: [], errors: [] })
      visit = undefined
    })

    async function open(url: string): Promise<Visit> {
      visit = await openVisit(browser)
      await visit.page.goto(url)
      return visit
    }

    async function expectAnswers({ page: opened }: Visit, ...names: string[]): Promise<void> {
      const expected = Object.fromEntries(names.map((each) => [each, 'the mock']))
      await expect.poll(() => opened.evaluate('globalThis.answers')).toEqual(expected)
    }

    /** Serves a configuration with the command line. */
    async function serve(config: string): Promise<string> {
      const port = await findPort()
      await project.write('bundler.config.js', `${imports}\n${config}`)
      const args = ['serve', '--config', 'bundler.config.js', '--mode', 'development']
      server = runTool(cli, [...args, '--host', '127.0.0.1', '--port', String(port)], { folder: project.folder, env })
      await Promise.all([server.untilSaid(/compiled/), server.untilSaid(/(Loopback|Local):/)])
      return `http://localhost:${port}`
    }

    const devServer = (): string =>
      JSON.stringify({ ...settings, proxy: [{ context: ['/api'], target: backend.origin }] })

    test('of every kind, by several compilers side by side', async ({ onTestFailed }) => {
      onTestFailed(() => console.error([...(visit?.console ?? []), server?.output.slice(-3000)].join('\n')))
      const origin =
        await serve(`export default [${compilers}].map(({ name, output, plugins = [], options, ...config }, i) => ({
  name,
  ...config,
  // Without "graphql", which no handler here needs.
  resolve: { alias: { graphql: '/nowhere' } },
  output: { path: import.meta.dirname + '/dist/' + name, publicPath: '/' + name + '/', uniqueName: name, ...output },
  plugins: [
    new HtmlPlugin({ scriptLoading: output?.module ? 'module' : 'defer' }),
    ...plugins,
    new UnderstudyWebpackPlugin({ quiet: true, ...options }),
  ],
  ...(i === 0 && { devServer: ${devServer()} }),
}))
`)
      for (const [path, { names, worker }] of Object.entries(pages)) {
        const { scope, script } = worker ?? { scope: path, script: `${path}understudy-worker.js` }
        const each = await open(`${origin}/${path}`)
        await expectAnswers(each, ...names)
        expect({ path, escaped: backend.requests, errors: each.errors }).toEqual({ path, escaped: [], errors: [] })
        expect(each.console.join('\n')).not.toContain('in the page itself')
        const workers = each.page.evaluate(async () => {
          const registrations = await navigator.serviceWorker.getRegistrations()
          return registrations.map((found) => [found.scope, found.active?.scriptURL])
        })
        expect(await workers).toEqual([[`${origin}/${scope}`, `${origin}/${script}`]])
        expect(await each.page.evaluate('globalThis.Library?.answer')).toBe(path === 'library/' ? 42 : undefined)
        await each.close()
      }
      expect(server?.output).not.toMatch(/graphql'?\W.*(not found|resolve)/i)
      const built = await (await fetch(`${origin}/server/main.js`)).text()
      expect(built).not.toContain('understudy')

      // Each has the panel below its public path. Host and remote are one page in it.
      const host = await open(`${origin}/host/`)
      await expectAnswers(host, 'host', 'remote')
      const panel = await openPage(host.context)
      await panel.page.goto(`${origin}/several/__understudy/`)
      await expect
        .poll(() => panel.page.getByRole('listitem').allTextContents())
        .toEqual([
          expect.stringMatching(/GET \/api\/host.*mocks\/host\.js:2/),
          expect.stringMatching(/GET \/api\/remote.*mocks\/remote\.js:2/),
        ])
      expect(await panel.page.getByRole('combobox', { name: 'Page of the app' }).count()).toBe(0)
    })

    test.for([
      ['scripts', false],
      ['modules', true],
    ] as const)('compiled lazily, as %s', async ([_name, isModule], { onTestFailed }) => {
      onTestFailed(() => console.error([...(visit?.console ?? []), server?.output.slice(-3000)].join('\n')))
      const origin = await serve(`export default {
  entry: './src/lazy.js',
  output: { publicPath: '/', module: ${isModule} },
  experiments: { ${isModule ? 'outputModule: true' : ''} },
  plugins: [
    new HtmlPlugin({ scriptLoading: '${isModule ? 'module' : 'defer'}' }),
    new UnderstudyWebpackPlugin({ quiet: true, handlers: 'src/mocks/lazy.js' }),
    { apply({ options }) { ${lazy} } },
  ],
  devServer: ${devServer()},
}
`)
      const lazily = await open(origin)
      await expectAnswers(lazily, 'lazy', 'late', 'two')
      expect(lazily.navigations).toHaveLength(1)
      expect(lazily.console.join('\n')).not.toContain('No handler matches')
    })

    test('handlers that a context collects: they are edited, come and go, and the page stays', async ({
      onTestFailed,
    }) => {
      onTestFailed(() => console.error([...(visit?.console ?? []), server?.output.slice(-3000)].join('\n')))
      const origin = await serve(`export default {
  entry: './src/one.js',
  output: { publicPath: '/' },
  plugins: [
    new HtmlPlugin(),
    new UnderstudyWebpackPlugin({ handlers: 'src/context/handlers.js', quiet: true, expose: true }),
  ],
  devServer: ${devServer()},
}
`)
      const hot = await open(origin)
      await expectAnswers(hot, 'one')
      const list = (): Promise<string[]> =>
        hot.page.evaluate(() => globalThis.understudy.worker.listHandlers().map(({ info }) => info.header))
      const answer = (): Promise<string> =>
        hot.page.evaluate(async () => {
          const response = await fetch('/api/one')
          return ((await response.json()) as { text: string }).text
        })
      await savingUntil(project, 'src/context/features/two.js', handlersOf('two'), list).toEqual([
        'GET /api/one',
        'GET /api/two',
      ])
      await savingUntil(project, 'src/context/features/one.js', handlersOf('one', 'edited'), answer).toBe('edited')
      await project.remove('src/context/features/two.js')
      await expect.poll(list).toEqual(['GET /api/one'])
      await savingUntil(project, 'src/context/features/one.js', handlersOf('one'), answer).toBe('the mock')
      expect(hot.navigations).toHaveLength(1)
    })

    test('a public path on another origin, with a server that a script of the user starts, and mocking off there', async ({
      onTestFailed,
    }) => {
      onTestFailed(() => console.error([...(visit?.console ?? []), server?.output.slice(-3000)].join('\n')))
      const port = await findPort()
      const assets = `http://127.0.0.1:${port}/static/`
      const html = page(`${assets}main.js`)
      await project.write('public/index.html', html)
      const startServer = async (enabled: boolean): Promise<void> => {
        const options = { ...settings, host: '127.0.0.1', port, allowedHosts: 'all' }
        await project.write(
          'serve.js',
          `${imports}
const config = {
  mode: 'development',
  entry: './src/one.js',
  output: { publicPath: '${assets}' },
  plugins: [new UnderstudyWebpackPlugin(${enabled ? '' : '{ enabled: false }'})],
  devServer: ${JSON.stringify({ ...options, proxy: [{ context: ['/api'], target: backend.origin }] })},
}
${enabled || !bundler.takesOwnOptions ? start : start.replace('compiler.options.devServer', 'config.devServer')}`,
        )
        server = runTool(join(project.folder, 'serve.js'), [], { folder: project.folder })
        await server.untilSaid(/(Loopback|Local):/)
        // A script like this prints no compilation results by default.
        await expect.poll(async () => (await fetch(`${assets}main.js`)).status).toBe(200)
      }
      await startServer(true)

      // The dev server serves this page too, outside the public path: the worker may control it.
      const own = await open(`http://localhost:${port}/`)
      await expectAnswers(own, 'one')
      expect(own.console.join('\n')).not.toContain('in the page itself')
      expect(await (await fetch(`${assets}__understudy/`)).text()).toContain('understudy-token')

      // A page of another server, which knows nothing of a worker.
      const other = await serveFiles((path) => (path === '/' ? html : undefined))
      const foreign = await openVisit(browser)
      await foreign.page.goto(`http://localhost:${other.port}/`)
      await expectAnswers(foreign, 'one')
      expect(foreign.console.join('\n')).toContain('in the page itself, because there is no service worker script at')
      await foreign.close()
      other.server.close()
      expect(backend.requests).toEqual([])

      await server?.stop()
      await startServer(false)
      await own.page.goto(`http://localhost:${port}/`)
      await expect.poll(() => backend.requests).toContain('GET /api/one')
      const count = (): Promise<number> =>
        own.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
      await expect.poll(count).toBe(0)
      backend.forget()
    })

    test('a demo whose assets lie on a CDN', async () => {
      // The CDN and the page's own host, each with what is deployed there.
      const cdn = await serveFiles((path) => readBuilt(path.replace(/^\/assets\//, '')))
      let hasWorker = true
      const host = await serveFiles((path) => {
        if (path === '/') return readBuilt('index.html')
        return hasWorker && path === '/assets/understudy-worker.js' ? readBuilt('understudy-worker.js') : undefined
      })
      async function readBuilt(file: string): Promise<string> {
        return readFile(join(project.folder, 'dist', file), 'utf8')
      }
      await project.write(
        'bundler.config.js',
        `${imports}
export default {
  entry: './src/one.js',
  optimization: { minimize: false },
  output: { clean: true, publicPath: 'http://127.0.0.1:${cdn.port}/assets/' },
  plugins: [new HtmlPlugin(), new UnderstudyWebpackPlugin({ enabled: true })],
}
`,
      )
      const args = ['build', '--config', 'bundler.config.js', '--mode', 'production']
      const tool = runTool(cli, args, { folder: project.folder, env })
      expect(await tool.exit, tool.output).toBe(0)

      const own = await open(`http://localhost:${host.port}/`)
      await expectAnswers(own, 'one')
      expect(own.console.join('\n')).not.toContain('in the page itself')
      await own.close()
      hasWorker = false
      const without = await open(`http://localhost:${host.port}/`)
      await expectAnswers(without, 'one')
      expect(without.console.join('\n')).toContain('in the page itself, because there is no service worker script at')
      cdn.server.close()
      host.server.close()
    })

    test('a production build contains no mocks, even if the dev server was imported and WEBPACK_SERVE is set', async () => {
      await project.write(
        'bundler.config.js',
        `${imports}
export default { entry: './src/one.js', output: { clean: true }, plugins: [new UnderstudyWebpackPlugin()], devServer: {} }
`,
      )
      const args = ['build', '--mode', 'production', '--config', 'bundler.config.js']
      const tool = runTool(cli, args, { folder: project.folder, env: { ...env, WEBPACK_SERVE: 'true' } })
      expect(await tool.exit, tool.output).toBe(0)
      const folder = join(project.folder, 'dist')
      expect(await readdir(folder)).toEqual(['main.js'])
      expect(await readFile(join(folder, 'main.js'), 'utf8')).not.toMatch(/understudy|the mock/)
    })
  })
}

/** Starts a host of files that any page may load. It answers 404 for missing files. */
async function serveFiles(
  read: (path: string) => Promise<string> | string | undefined,
): Promise<{ server: Server; port: number }> {
  const answer = async (path: string): Promise<string | undefined> => read(path)
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    answer(path).then(
      (text) => {
        const type = extname(path) === '.js' ? 'text/javascript' : 'text/html'
        response.writeHead(text === undefined ? 404 : 200, {
          'Content-Type': type,
          'Access-Control-Allow-Origin': '*',
          // The worker of a demo controls pages outside its folder.
          'Service-Worker-Allowed': '/',
        })
        response.end(text)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return { server, port: (server.address() as AddressInfo).port }
}
