import { join } from 'node:path'

import {
  contentSecurityPolicy,
  type BuildTool,
  type RunningServer,
  type ServerOptions,
  type ToolOptions,
} from '../../../test/acceptance/build-tool.ts'
import { repository, type Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool } from '../../../test/acceptance/run-tool.ts'

const cli = join(import.meta.dirname, '../node_modules/@rsbuild/core/bin/rsbuild.js')
const staticServer = join(repository, 'test/webpack/static-server.ts')

/** Rsbuild 2, by its command line. */
export const rsbuild: BuildTool = {
  name: 'Rsbuild 2',
  compilesModules: true,
  readsTypeScript: true,
  answersDocuments: false,
  connected: /\[rsbuild\] WebSocket connected/,

  async configure(project, options) {
    await project.write('rsbuild.config.js', writeConfig(options))
    await project.write('static-server.json', JSON.stringify({ api: options.api, base: options.base }))
  },

  async start({ folder }: Project, { port, env }: ServerOptions = {}): Promise<RunningServer> {
    const used = port ?? (await findPort())
    const args = ['dev', '--host', '127.0.0.1', '--port', String(used)]
    const tool = runTool(cli, args, { folder, ...(env && { env }) })
    // Some tests expect the build to fail.
    await Promise.all([tool.untilSaid(/Local:/), tool.untilSaid(/built in|build failed/i)])
    return { origin: `http://localhost:${used}`, port: used, process: tool, stop: () => tool.stop() }
  },

  async build({ folder }, { env } = {}) {
    const tool = runTool(cli, ['build'], { folder, ...(env && { env }) })
    return { code: await tool.exit, output: tool.output }
  },

  async serve({ folder }, { port, env } = {}) {
    const used = port ?? (await findPort())
    const tool = runTool(staticServer, [String(used)], { folder, ...(env && { env }) })
    await tool.untilSaid(/Listening/)
    return { origin: `http://localhost:${used}`, port: used, process: tool, stop: () => tool.stop() }
  },

  readOverlay: (page) =>
    page.evaluate(() => {
      const container = document
        .querySelector('rsbuild-error-overlay')
        ?.shadowRoot?.querySelector<HTMLElement>('.container')
      return container?.innerText
    }),
}

/** A configuration whose entries and templates are the project's HTML files. */
function writeConfig({ plugin = {}, api, base, nonce, policy, hosts }: ToolOptions): string {
  const header = nonce === undefined ? policy : contentSecurityPolicy(nonce)
  const config = {
    ...(nonce !== undefined && { security: { nonce } }),
    ...(base === './' && { output: { assetPrefix: 'auto' } }),
    server: {
      ...(base !== undefined && base !== './' && { base: base.slice(0, -1) || '/' }),
      ...(hosts && { allowedHosts: hosts }),
      ...(header !== undefined && { headers: { 'Content-Security-Policy': header } }),
      ...(api !== undefined && { proxy: { '/api': api } }),
    },
  }
  return `import { pluginUnderstudy } from '@understudy/webpack-plugin/rsbuild'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const entry = {}
for (const file of globSync('{*.html,nested/*.html}')) {
  const scripts = []
  const template = readFileSync(file, 'utf8').replace(/<script [^>]*src="([^"]*)"><\\/script>/g, (tag, src) => {
    scripts.push('./' + join(dirname(file), src))
    return ''
  })${nonce === undefined ? '' : `.replaceAll('<script', '<script nonce=${JSON.stringify(nonce)}')`}
  const name = file.slice(0, -'.html'.length)
  mkdirSync(join('templates', dirname(file)), { recursive: true })
  writeFileSync(join('templates', file), template)
  entry[name] = scripts
}

const config = ${JSON.stringify(config)}

export default {
  ...config,
  source: { entry },
  html: { template: ({ entryName }) => \`./templates/\${entryName}.html\` },
  plugins: [${plugin === null ? '' : `pluginUnderstudy(${JSON.stringify(plugin)})`}],
}
`
}
