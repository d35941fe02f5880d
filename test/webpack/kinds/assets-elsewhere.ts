import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openVisit } from '../../acceptance/browser.ts'
import type { Extent } from '../../acceptance/build-tool.ts'
import { findPort, runTool, type ToolProcess } from '../../acceptance/run-tool.ts'
import { page } from './app.ts'
import type { Kind, OpenApp } from './open-app.ts'
import { serveFiles } from './serve-files.ts'

/** Tests assets on another origin than the page, and builds for production. */
export function testAssetsElsewhere(app: OpenApp, bundler: Kind, extent: Extent): void {
  const { imports, start, devServer: settings = {} } = bundler

  test('a public path on another origin, with a server that a script starts, with mocking on and then off', async ({
    onTestFailed,
  }) => {
    onTestFailed(app.report)
    const port = await findPort()
    const assets = `http://127.0.0.1:${port}/static/`
    const html = page(`${assets}main.js`)
    await app.project.write('public/index.html', html)
    const startServer = async (enabled: boolean): Promise<ToolProcess> => {
      const options = { ...settings, host: '127.0.0.1', port, allowedHosts: 'all' }
      await app.project.write(
        'serve.js',
        `${imports}
const config = {
  mode: 'development',
  entry: './src/one.js',
  output: { publicPath: '${assets}' },
  plugins: [new UnderstudyWebpackPlugin(${enabled ? '' : '{ enabled: false }'})],
  devServer: ${JSON.stringify({ ...options, proxy: [{ context: ['/api'], target: app.backend.origin }] })},
}
${enabled || !bundler.takesOwnOptions ? start : start.replace('compiler.options.devServer', 'config.devServer')}`,
      )
      const tool = app.keep(runTool(join(app.project.folder, 'serve.js'), [], { folder: app.project.folder }))
      await tool.untilSaid(/(Loopback|Local):/)
      // A script like this prints no compilation results by default.
      await expect.poll(async () => (await fetch(`${assets}main.js`)).status).toBe(200)
      return tool
    }
    const server = await startServer(true)

    // The dev server serves this page too, outside the public path: the worker may control it.
    const own = await app.open(`http://localhost:${port}/`)
    await app.expectAnswers(own, 'one')
    expect(own.console.join('\n')).not.toContain('in the page itself')
    expect(await (await fetch(`${assets}__understudy/`)).text()).toContain('understudy-token')

    // A page of another server, which has no worker script.
    const other = await serveFiles((path) => (path === '/' ? html : undefined))
    const foreign = await openVisit(app.browser)
    await foreign.page.goto(`http://localhost:${other.port}/`)
    await app.expectAnswers(foreign, 'one')
    expect(foreign.console.join('\n')).toContain('in the page itself, because there is no service worker script at')
    await foreign.close()
    other.server.close()
    expect(app.backend.requests).toEqual([])

    // Otherwise, the page would reload when the server is back, and that could end the visit below.
    await own.page.goto('about:blank')
    await server.stop()
    await startServer(false)
    await own.page.goto(`http://localhost:${port}/`)
    await expect.poll(() => app.backend.requests).toContain('GET /api/one')
    const count = (): Promise<number> =>
      own.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(count).toBe(0)
    app.backend.forget()
  })

  // What follows is the work of the bundler.
  if (extent === 'main') return

  test('a demo with assets on a CDN', async () => {
    // Two servers: the CDN, and the host of the page. Each has the files that are deployed there.
    let hasWorker = true
    const cdn = await serveFiles(async (path) => {
      // Karma defines the global before the files of the app, and does not serve the worker.
      if (path === '/karma') return `<script>window.__karma__ = {}</script>${await readBuilt('index.html')}`
      return hasWorker || !path.endsWith('/understudy-worker.js')
        ? readBuilt(path.replace(/^\/assets\//, ''))
        : undefined
    })
    const host = await serveFiles((path) => {
      if (path === '/') return readBuilt('index.html')
      return hasWorker && path === '/assets/understudy-worker.js' ? readBuilt('understudy-worker.js') : undefined
    })
    async function readBuilt(file: string): Promise<string> {
      return readFile(join(app.project.folder, 'dist', file), 'utf8')
    }
    await app.project.write(
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
    const tool = app.runBundler(args)
    expect(await tool.exit, tool.output).toBe(0)

    const own = await app.open(`http://localhost:${host.port}/`)
    await app.expectAnswers(own, 'one')
    expect(own.console.join('\n')).not.toContain('in the page itself')
    await own.close()
    hasWorker = false
    const without = await app.open(`http://localhost:${host.port}/`)
    await app.expectAnswers(without, 'one')
    expect(without.console.join('\n')).toContain('in the page itself, because there is no service worker script at')
    const karma = await app.open(`http://127.0.0.1:${cdn.port}/karma`)
    await app.expectAnswers(karma, 'one')
    expect(karma.console.join('\n')).toContain('in the page itself, because there is no service worker script at')
    cdn.server.close()
    host.server.close()
  })

  test('a production build contains no mocks, even if the dev server was imported and WEBPACK_SERVE is set', async () => {
    await app.project.write(
      'bundler.config.js',
      `${imports}
export default { entry: './src/one.js', output: { clean: true }, plugins: [new UnderstudyWebpackPlugin()], devServer: {} }
`,
    )
    const args = ['build', '--mode', 'production', '--config', 'bundler.config.js']
    const tool = app.runBundler(args, { WEBPACK_SERVE: 'true' })
    expect(await tool.exit, tool.output).toBe(0)
    const folder = join(app.project.folder, 'dist')
    expect(await readdir(folder)).toEqual(['main.js'])
    expect(await readFile(join(folder, 'main.js'), 'utf8')).not.toMatch(/understudy|the mock/)
  })
}
