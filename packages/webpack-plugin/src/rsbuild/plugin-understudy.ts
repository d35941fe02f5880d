import type { PluginOptions } from '@understudy/engine/internal/dev'
import {
  isOwnHost,
  type ConnectMiddleware as ConnectHandle,
  type ServerAnswer,
  type ServerRequest,
} from '@understudy/panel/server'

import type { Compiler } from '../compiler.ts'
import { listHandlers, listPanels } from '../dev-server/dev-serving.ts'
import { mockApp } from '../mock-app.ts'
import { readPolicies } from '../page/page-gate.ts'
import { overlayErrorName } from '../page/page-modules.ts'
import { pluginName, Project, type Tool } from '../project.ts'
import type { EnvironmentConfig, RsbuildApi, RsbuildPlugin, ServerConfig } from './rsbuild-api.ts'

/**
 * Mocks the requests that an app built with Rsbuild makes. Requests wait until mocking is on. An edit of the handlers applies without a
 * reload. Production builds contain no mocks.
 *
 * @param options see {@link PluginOptions}. The page and the terminal show invalid options
 *
 * @example
 * // rsbuild.config.ts; the plugin finds the handlers in src/mocks/handlers.ts
 * export default defineConfig({ plugins: [pluginUnderstudy()] })
 */
export function pluginUnderstudy(options: PluginOptions = {}): RsbuildPlugin {
  return {
    name: pluginName,
    setup(api) {
      api.modifyEnvironmentConfig(showOurErrors)
      api.modifyRspackConfig((_config, tools) => {
        const tool = describeTool(tools.environment.config)
        tools.appendPlugins({ apply: (compiler) => mockApp(new Project(options, compiler, tool)) })
      })
      serve(api)
    },
  }
}

function describeTool({ dev, server }: EnvironmentConfig): Tool {
  const { path, host } = dev?.client ?? {}
  const pathname = typeof path === 'string' ? path : '/rsbuild-hmr'
  return {
    call: 'pluginUnderstudy()',
    // Without a host, the client uses the page's host first, and then the server's.
    sockets: [typeof host === 'string' && host !== '' ? `ws://${host}${pathname}` : pathname],
    proxies: [server?.proxy],
    policies: readPolicies(server?.headers),
    overlay: 'events',
  }
}

/**
 * Makes Rsbuild's overlay show our errors wherever it shows build errors. By default, it shows errors of pages only if
 * the configuration says so, and a page with broken handlers would stay empty without a reason.
 */
function showOurErrors({ dev }: EnvironmentConfig): void {
  const { client } = dev ?? {}
  if (!client || client.overlay === false) return
  const given: { runtime?: unknown } = typeof client.overlay === 'object' && client.overlay ? client.overlay : {}
  const runtime = given.runtime as boolean | ((error: Error) => boolean) | undefined
  client.overlay = {
    ...given,
    runtime: (error: Error): boolean =>
      error.name === overlayErrorName || (typeof runtime === 'function' ? runtime(error) : runtime === true),
  }
}

/** Serves the worker and the panel on Rsbuild's dev server, and prints the panel's address. */
function serve(api: RsbuildApi): void {
  let compilers: readonly Compiler[] = []
  let handlers: ConnectHandle[] | undefined
  api.onAfterCreateCompiler(({ compiler }) => {
    const created = compiler as Compiler | { readonly compilers: readonly Compiler[] }
    compilers = 'compilers' in created ? created.compilers : [created]
    handlers = undefined
  })
  api.onBeforeStartDevServer(({ server }) => {
    // Run before Rsbuild's own middlewares, which answer every path with a page. The compilers are created later.
    server.middlewares.use((request, response, next) => {
      handlers ??= [
        ...(checksHosts(readServer(api)) ? [] : [refuseForeignHosts(readServer(api))]),
        ...listHandlers(compilers, '/__open-in-editor?file='),
      ]
      runInTurn(handlers, request, response, next)
    })
  })
  api.onAfterStartDevServer(({ port }) => {
    const server = readServer(api)
    for (const base of listPanels(compilers)) {
      api.logger.log(`  ➜  Understudy:  ${readOrigin(server, port)}${base}__understudy/\n`)
    }
  })
}

function readServer(api: RsbuildApi): ServerConfig {
  return (api.getNormalizedConfig() as { readonly server: ServerConfig }).server
}

/** Returns whether Rsbuild checks hosts. Its check is off by default. */
function checksHosts({ allowedHosts }: ServerConfig): boolean {
  return Array.isArray(allowedHosts)
}

/** Refuses requests for the panel with a host of another site: see {@link isOwnHost}. */
function refuseForeignHosts({ host }: ServerConfig): ConnectHandle {
  const trusted = typeof host === 'string' ? [host] : []
  return ({ url, headers }, response, next) => {
    // HTTP/2, which Rsbuild uses with HTTPS, has another name for the host.
    if (!url?.includes('/__understudy') || isOwnHost(headers.host ?? headers[':authority'], trusted)) {
      next()
      return
    }
    response.writeHead(403, { 'Content-Type': 'text/plain' })
    response.end(
      'Failed to show the panel: the host is not known. Add it to server.allowedHosts of the Rsbuild configuration.',
    )
  }
}

function runInTurn(
  [first, ...rest]: ConnectHandle[],
  request: ServerRequest,
  response: ServerAnswer,
  next: () => void,
): void {
  if (first) first(request, response, () => runInTurn(rest, request, response, next))
  else next()
}

function readOrigin({ host, https }: ServerConfig, port: number): string {
  const isNamed = typeof host === 'string' && host !== '' && !/^(0\.0\.0\.0|::)$/.test(host)
  const name = isNamed ? host : 'localhost'
  return `${https ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`
}
