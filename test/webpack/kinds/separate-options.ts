import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { Visit } from '../../acceptance/browser.ts'
import { findPort, runTool } from '../../acceptance/run-tool.ts'
import { openApp, type Kind } from './open-app.ts'

/** How a script starts the dev server. */
type Start = 'its own options' | 'extended options' | "the compiler's options"

/** Tests dev servers whose options the plugin cannot see, as with Create React App, Vue CLI, Nx and Docusaurus. */
export function testSeparateOptions(bundler: Kind): void {
  const { imports, start, cache, devServer: settings = {} } = bundler

  describe(`${bundler.name}, a dev server with separate options`, () => {
    const app = openApp(bundler)

    async function open(given: Start): Promise<Visit> {
      const port = await findPort()
      const options = {
        ...settings,
        host: '127.0.0.1',
        port,
        proxy: [{ context: ['/api'], target: app.backend.origin }],
      }
      const used = {
        'its own options': 'options',
        'extended options': 'understudy.extendDevServer(options)',
        "the compiler's options": 'compiler.options.devServer',
      }[given]
      await app.project.write(
        'serve.js',
        `${imports}
const understudy = new UnderstudyWebpackPlugin({ panel: { dock: true } })
const options = ${JSON.stringify(options)}
const config = {
  mode: 'development',
  entry: './src/one.js',
  output: { publicPath: '/' },
  // The next start reads the modules of this one.
  cache: { type: '${cache}' },
  plugins: [new HtmlPlugin(), understudy],
  ${given === "the compiler's options" ? 'devServer: options,' : ''}
}
${start.replace('compiler.options.devServer', used)}`,
      )
      const tool = app.keep(runTool(join(app.project.folder, 'serve.js'), [], { folder: app.project.folder }))
      await tool.untilSaid(/(Loopback|Local):/)
      await expect.poll(async () => (await fetch(`http://localhost:${port}/main.js`)).status).toBe(200)
      const visit = await app.open(`http://localhost:${port}/`)
      await app.expectAnswers(visit, 'one')
      await expect.poll(() => visit.console.join('\n')).toContain('Mocking is on')
      return visit
    }

    const hasButton = ({ page }: Visit): Promise<boolean> =>
      page.getByRole('button', { name: 'Understudy', exact: true }).isVisible()

    test.for<Start>([
      'its own options',
      'extended options',
      'its own options',
      "the compiler's options",
      'its own options',
    ])('with %s, after another start with the same cache', async (given, { onTestFailed }) => {
      onTestFailed(app.report)
      const visit = await open(given)
      await visit.page.waitForLoadState('networkidle')
      const asked = visit.console.filter((line) => line.includes('Failed to load') || line.includes('MIME type'))
      const hasPanel = given !== 'its own options'
      await expect.poll(() => hasButton(visit)).toBe(hasPanel)
      expect({
        asked,
        button: await hasButton(visit),
        linked: visit.console.join('\n').includes('/__understudy/'),
        printed: app.output().includes('/__understudy/'),
        explained: app.output().includes('US0872'),
      }).toEqual({ asked: [], button: hasPanel, linked: hasPanel, printed: hasPanel, explained: !hasPanel })
    })
  })
}
