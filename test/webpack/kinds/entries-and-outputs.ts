import { expect, test } from 'vitest'

import { openPage } from '../../acceptance/browser.ts'
import type { Extent } from '../../acceptance/build-tool.ts'
import { savingUntil } from '../../acceptance/project.ts'
import { compilers, handlersOf, pages } from './app.ts'
import type { Kind, OpenApp } from './open-app.ts'

/** Tests entries, output formats, lazy compilation and contexts, with the dev server of the command line. */
export function testEntriesAndOutputs(app: OpenApp, { lazy }: Kind, extent: Extent): void {
  test('entries and outputs of every kind, with one server for several compilers', async ({ onTestFailed }) => {
    onTestFailed(app.report)
    const origin =
      await app.serve(`export default [${compilers}].map(({ name, output, plugins = [], options, ...config }, i) => ({
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
  ...(i === 0 && { devServer: ${app.devServer()} }),
}))
`)
    for (const [path, { names, worker }] of Object.entries(pages)) {
      const { scope, script } = worker ?? { scope: path, script: `${path}understudy-worker.js` }
      const each = await app.open(`${origin}/${path}`)
      await app.expectAnswers(each, ...names)
      expect({ path, escaped: app.backend.requests, errors: each.errors }).toEqual({ path, escaped: [], errors: [] })
      expect(each.console.join('\n')).not.toContain('in the page itself')
      const workers = each.page.evaluate(async () => {
        const registrations = await navigator.serviceWorker.getRegistrations()
        return registrations.map((found) => [found.scope, found.active?.scriptURL])
      })
      expect(await workers).toEqual([[`${origin}/${scope}`, `${origin}/${script}`]])
      expect(await each.page.evaluate('globalThis.Library?.answer')).toBe(path === 'library/' ? 42 : undefined)
      await each.close()
    }
    expect(app.output()).not.toMatch(/graphql'?\W.*(not found|resolve)/i)
    const built = await (await fetch(`${origin}/server/main.js`)).text()
    expect(built).not.toContain('understudy')

    // Each has the panel below its public path. Host and remote are one page in it.
    const host = await app.open(`${origin}/host/`)
    await app.expectAnswers(host, 'host', 'remote')
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

  // What follows is the work of the bundler.
  if (extent === 'main') return

  test.for([
    ['scripts', false],
    ['modules', true],
  ] as const)('lazy compilation of %s', async ([_name, isModule], { onTestFailed }) => {
    onTestFailed(app.report)
    const origin = await app.serve(`export default {
  entry: './src/lazy.js',
  output: { publicPath: '/', module: ${isModule} },
  experiments: { ${isModule ? 'outputModule: true' : ''} },
  plugins: [
    new HtmlPlugin({ scriptLoading: '${isModule ? 'module' : 'defer'}' }),
    new UnderstudyWebpackPlugin({ quiet: true, handlers: 'src/mocks/lazy.js' }),
    { apply({ options }) { ${lazy} } },
  ],
  devServer: ${app.devServer()},
}
`)
    const lazily = await app.open(origin)
    await app.expectAnswers(lazily, 'lazy', 'late', 'two')
    expect(lazily.navigations).toHaveLength(1)
    expect(lazily.console.join('\n')).not.toContain('No handler matches')
  })

  test('handlers of a context are edited, added and removed without a reload of the page', async ({ onTestFailed }) => {
    onTestFailed(app.report)
    const origin = await app.serve(`export default {
  entry: './src/one.js',
  output: { publicPath: '/' },
  plugins: [
    new HtmlPlugin(),
    new UnderstudyWebpackPlugin({ handlers: 'src/context/handlers.js', quiet: true, expose: true }),
  ],
  devServer: ${app.devServer()},
}
`)
    const hot = await app.open(origin)
    await app.expectAnswers(hot, 'one')
    const list = (): Promise<string[]> =>
      hot.page.evaluate(() => globalThis.understudy.worker.listHandlers().map(({ info }) => info.header))
    const answer = (): Promise<string> =>
      hot.page.evaluate(async () => {
        const response = await fetch('/api/one')
        return ((await response.json()) as { text: string }).text
      })
    await savingUntil(app.project, 'src/context/features/two.js', handlersOf('two'), list).toEqual([
      'GET /api/one',
      'GET /api/two',
    ])
    await savingUntil(app.project, 'src/context/features/one.js', handlersOf('one', 'edited'), answer).toBe('edited')
    await app.project.remove('src/context/features/two.js')
    await expect.poll(list).toEqual(['GET /api/one'])
    await savingUntil(app.project, 'src/context/features/one.js', handlersOf('one'), answer).toBe('the mock')
    expect(hot.navigations).toHaveLength(1)
  })
}
