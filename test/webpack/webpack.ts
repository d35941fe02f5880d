import { join } from 'node:path'

import {
  contentSecurityPolicy,
  type BuildTool,
  type RunningServer,
  type ServerOptions,
  type ToolOptions,
} from '../acceptance/build-tool.ts'
import { repository, type Project } from '../acceptance/project.ts'
import { findPort, runTool } from '../acceptance/run-tool.ts'

/** The differences between bundlers and between their versions. */
export interface Bundler {
  name: string
  /** The command line's script, below the repository. */
  cli: string
  /** The environment variables of the command line. */
  env?: Record<string, string>
  /** Settings of its dev server. */
  devServer?: object
  /** The module that exports the plugin for pages, and the imported binding. */
  html: string
  /** An expression of the option `optimization`. */
  optimization?: string
}

/** Creates webpack or Rspack, run with its command line. */
export function createWebpack({ name, cli, env: ownEnv = {}, devServer, html, optimization }: Bundler): BuildTool {
  const script = join(repository, cli)

  async function serve({ folder }: Project, { port, env }: ServerOptions = {}): Promise<RunningServer> {
    const used = port ?? (await findPort())
    const args = [
      'serve',
      '--config',
      'webpack.config.js',
      '--mode',
      'development',
      '--host',
      '127.0.0.1',
      '--port',
      String(used),
    ]
    const tool = runTool(script, args, { folder, env: { ...ownEnv, ...env } })
    // In this order, or in the other.
    await Promise.all([tool.untilSaid(/compiled/), tool.untilSaid(/(Loopback|Local):/)])
    return { origin: `http://localhost:${used}`, port: used, process: tool, stop: () => tool.stop() }
  }

  return {
    name,
    compilesModules: true,
    readsTypeScript: false,
    answersDocuments: false,

    async configure(project, options) {
      await project.write('webpack.config.js', `${html}\n${writeConfig(options, devServer, optimization)}`)
      await project.write('static-server.json', JSON.stringify({ api: options.api, base: options.base }))
    },

    start: serve,

    async build({ folder }, { env } = {}) {
      const args = ['build', '--mode', 'production', '--config', 'webpack.config.js']
      const tool = runTool(script, args, { folder, env: { ...ownEnv, ...env } })
      return { code: await tool.exit, output: tool.output }
    },

    async serve({ folder }, { port, env } = {}) {
      const used = port ?? (await findPort())
      const server = join(import.meta.dirname, 'static-server.ts')
      const tool = runTool(server, [String(used)], { folder, ...(env && { env }) })
      await tool.untilSaid(/Listening/)
      return { origin: `http://localhost:${used}`, port: used, process: tool, stop: () => tool.stop() }
    },

    readOverlay: (page) =>
      page.evaluate(() => {
        const frame = document.querySelector<HTMLIFrameElement>('iframe[id$="overlay"]')
        return frame?.contentDocument?.body?.innerText
      }),
  }
}

/**
 * Writes a configuration with entries and pages for the project's HTML files, which these bundlers do not read.
 */
function writeConfig(
  { plugin = {}, api, base, nonce, policy, hosts, hasRoutes }: ToolOptions,
  devServer: object | undefined,
  optimization: string | undefined,
): string {
  const config = {
    // Other source maps evaluate modules, which the policy forbids.
    ...((nonce ?? policy) !== undefined && { devtool: 'source-map' }),
    devServer: {
      ...devServer,
      ...(hosts && { allowedHosts: hosts }),
      ...(hasRoutes && { historyApiFallback: { disableDotRule: true } }),
      ...(nonce !== undefined && { headers: { 'Content-Security-Policy': contentSecurityPolicy(nonce) } }),
      ...(policy !== undefined && { headers: { 'Content-Security-Policy': policy } }),
      ...(api !== undefined && { proxy: [{ context: ['/api'], target: api }] }),
    },
  }
  // Pages of routes are at several depths.
  const ownPath = hasRoutes ? '/' : 'auto'
  const publicPath = base === undefined || base === './' ? ownPath : base
  return `import UnderstudyWebpackPlugin from '@understudy/webpack-plugin'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const entry = {}
const pages = globSync('{*.html,nested/*.html}').map((filename) => {
  const chunks = []
  const templateContent = readFileSync(filename, 'utf8').replace(/<script [^>]*src="(.*?)"><\\/script>/g, (_, src) => {
    const name = basename(src, '.js')
    chunks.push(name)
    entry[name] = './' + join(dirname(filename), src)
    return ''
  })
  return new HtmlPlugin({ filename, chunks, templateContent })
})

class Nonce {
  apply(compiler) {
    compiler.hooks.compilation.tap('Nonce', (compilation) => {
      HtmlPlugin.getCompilationHooks(compilation).beforeEmit.tap('Nonce', (data) => {
        data.html = data.html.replace(/<script/g, '<script nonce=${JSON.stringify(nonce ?? '')}')
        return data
      })
    })
  }
}

// In development, Rspack would remove hot updates that a page may still ask for.
export default (_env, { mode }) => ({
  ...${JSON.stringify(config)},
  entry,
  ${optimization === undefined ? '' : `optimization: ${optimization},`}
  output: { clean: mode === 'production', publicPath: ${JSON.stringify(publicPath)} },
  plugins: [
    ...pages,
    ${nonce === undefined ? '' : 'new Nonce(),'}
    ${plugin === null ? '' : `new UnderstudyWebpackPlugin(${JSON.stringify(plugin)}),`}
  ],
})
`
}
