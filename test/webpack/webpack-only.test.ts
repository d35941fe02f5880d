/** What only webpack has: kinds of entries and of output, module federation, public paths, servers that others start. */
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from '../acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../acceptance/counting-backend.ts'
import { createProject, repository, type Project } from '../acceptance/project.ts'
import { findPort, runTool, type ToolProcess } from '../acceptance/run-tool.ts'

const cli = join(repository, 'node_modules/webpack-cli/bin/cli.js')

const ask = `const ask = (name) => fetch('/api/' + name).then((response) => response.json()).then(({ text }) => {
  (globalThis.answers ??= {})[name] = text
})
`

const handlersOf = (path: string): string => `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [http.get('/api/${path}', () => HttpResponse.json({ text: 'the mock' }))]
`

const files = {
  'src/mocks/handlers.js': handlersOf('*'),
  'src/mocks/host.js': handlersOf('host'),
  'src/mocks/remote.js': handlersOf('remote'),
  'src/one.js': `${ask}ask('one')`,
  'src/two.js': `${ask}ask('two')`,
  'src/required.cjs': `${ask}ask('required')`,
  'src/common.cjs': `require('./required.cjs')\n${ask}ask('common')`,
  'src/library.js': `${ask}ask('library')\nexport const answer = 42`,
  'src/host.js': `${ask}ask('host')\nimport('remote/widget')`,
  'src/widget.js': `${ask}ask('remote')`,
}

/** Each is a compiler of its own, with a page below its name: all are served at once. */
const compilers = `
  { name: 'common', entry: './src/common.cjs' },
  { name: 'array', entry: ['./src/one.js', './src/two.js'] },
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
  { name: 'server', entry: './src/one.js', target: 'node' },
  {
    name: 'host',
    entry: './src/host.js',
    plugins: [new webpack.container.ModuleFederationPlugin({ remotes: { remote: 'remote@/remote/entry.js' } })],
    handlers: 'src/mocks/host.js',
  },
  {
    name: 'remote',
    entry: {},
    plugins: [
      new webpack.container.ModuleFederationPlugin({
        name: 'remote',
        filename: 'entry.js',
        exposes: { './widget': './src/widget.js' },
      }),
    ],
    handlers: 'src/mocks/remote.js',
  },
`

const multipleConfig = (api: string): string => `import UnderstudyWebpackPlugin from '@understudy/webpack-plugin'
import HtmlPlugin from 'html-webpack-plugin'
import webpack from 'webpack'

export default [${compilers}].map(({ name, output, plugins = [], handlers, ...config }, i) => ({
  name,
  ...config,
  resolve: { alias: { graphql: '/nowhere' } },
  output: { path: import.meta.dirname + '/dist/' + name, publicPath: '/' + name + '/', uniqueName: name, ...output },
  plugins: [
    new HtmlPlugin({ scriptLoading: output?.module ? 'module' : 'defer' }),
    ...plugins,
    new UnderstudyWebpackPlugin({ quiet: true, handlers }),
  ],
  ...(i === 0 && { devServer: { proxy: [{ context: ['/api'], target: '${api}' }] } }),
}))
`

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
  await visit?.close()
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

async function expectAnswers({ page }: Visit, ...names: string[]): Promise<void> {
  const expected = Object.fromEntries(names.map((name) => [name, 'the mock']))
  await expect.poll(() => page.evaluate('globalThis.answers')).toEqual(expected)
}

test('entries and outputs of every kind, compiled side by side', async ({ onTestFailed }) => {
  const port = await findPort()
  await project.write('webpack.config.js', multipleConfig(backend.origin))
  const args = ['serve', '--mode', 'development', '--host', '127.0.0.1', '--port', String(port)]
  const multiple = (server = runTool(cli, args, { folder: project.folder }))
  onTestFailed(() => console.error([...(visit?.console ?? []), multiple.output.slice(-3000)].join('\n')))
  await multiple.untilSaid(/Loopback:/)
  // Without "graphql", which no handler here needs.
  expect(multiple.output).toMatch(/common \(webpack [\d.]+\) compiled successfully/)

  const kinds: Record<string, string[]> = {
    common: ['required', 'common'],
    array: ['one', 'two'],
    several: ['one', 'two'],
    function: ['one'],
    dependent: ['one', 'two'],
    runtime: ['one', 'two'],
    library: ['library'],
    module: ['one'],
    host: ['host', 'remote'],
  }
  for (const [kind, names] of Object.entries(kinds)) {
    const each = await open(`http://localhost:${port}/${kind}/`)
    await expectAnswers(each, ...names)
    expect({ kind, escaped: backend.requests, errors: each.errors }).toEqual({ kind, escaped: [], errors: [] })
    expect(each.console.join('\n')).not.toContain('in the page itself')
    expect(await each.page.evaluate('globalThis.Library?.answer')).toBe(kind === 'library' ? 42 : undefined)
    await each.close()
  }
  const built = await (await fetch(`http://127.0.0.1:${port}/server/main.js`)).text()
  expect(built).not.toContain('understudy')
  await multiple.stop()
})

test('a public path on another origin, with a server that a script of the user starts', async ({ onTestFailed }) => {
  const port = await findPort()
  const assets = `http://127.0.0.1:${port}/static/`
  const html = `<!doctype html><meta charset="utf-8" /><title>App</title><script src="${assets}main.js"></script>`
  await project.write('public/index.html', html)
  await project.write(
    'serve.js',
    `import UnderstudyWebpackPlugin from '@understudy/webpack-plugin'
import webpack from 'webpack'
import WebpackDevServer from 'webpack-dev-server'

const compiler = webpack({
  mode: 'development',
  entry: './src/one.js',
  output: { publicPath: '${assets}' },
  plugins: [new UnderstudyWebpackPlugin()],
  devServer: { host: '127.0.0.1', port: ${port}, allowedHosts: 'all', proxy: [{ context: ['/api'], target: '${backend.origin}' }] },
})
// Not the object above: the plugin adds to the compiler's own.
await new WebpackDevServer(compiler.options.devServer, compiler).start()
`,
  )
  const served = (server = runTool(join(project.folder, 'serve.js'), [], { folder: project.folder }))
  onTestFailed(() => console.error([...(visit?.console ?? []), served.output.slice(-3000)].join('\n')))
  await Promise.all([served.untilSaid(/compiled/), served.untilSaid(/Loopback:/)])

  // The dev server serves this page too, outside the public path: the worker may control it.
  const own = await open(`http://localhost:${port}/`)
  await expectAnswers(own, 'one')
  expect(own.console.join('\n')).not.toContain('in the page itself')
  await own.close()

  // A page of another server, which knows nothing of a worker.
  const other = createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'Content-Type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => other.listen(0, resolve))
  const foreign = await open(`http://localhost:${(other.address() as AddressInfo).port}/`)
  await expectAnswers(foreign, 'one')
  expect(foreign.console.join('\n')).toContain('in the page itself, because there is no service worker script at')
  await foreign.close()
  other.close()
  await served.stop()
})

test('a production build has nothing of it, also where webpack-dev-server was imported and WEBPACK_SERVE is set', async () => {
  await project.write(
    'webpack.config.js',
    `import 'webpack-dev-server'
import UnderstudyWebpackPlugin from '@understudy/webpack-plugin'
export default { entry: './src/one.js', output: { clean: true }, plugins: [new UnderstudyWebpackPlugin()], devServer: {} }
`,
  )
  const args = ['build', '--mode', 'production']
  const tool = runTool(cli, args, { folder: project.folder, env: { WEBPACK_SERVE: 'true' } })
  expect(await tool.exit, tool.output).toBe(0)
  const folder = join(project.folder, 'dist')
  expect(await readdir(folder)).toEqual(['main.js'])
  expect(await readFile(join(folder, 'main.js'), 'utf8')).not.toMatch(/understudy|the mock/)
})
