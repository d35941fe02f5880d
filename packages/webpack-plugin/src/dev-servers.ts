import type { CompilerOptions } from './compiler.ts'

/** Options of webpack-dev-server and of Rspack's, as far as they are used here. */
export interface DevServerOptions {
  setupMiddlewares?: (middlewares: unknown[], server: unknown) => unknown[]
  client?: unknown
  host?: unknown
  webSocketServer?: unknown
}

/**
 * The options of every dev server that this compiler is made for: the compiler's own, which command lines make a
 * server of, and those of servers among its plugins, which is how webpack-cli 7 runs webpack-dev-server 6.
 */
export function listDevServers(options: CompilerOptions): DevServerOptions[] {
  if (options.devServer === false) return []
  const own = (options.devServer ??= {}) as DevServerOptions
  return [own, ...options.plugins.filter(isDevServer).map((server) => server.options)]
}

function isDevServer(plugin: unknown): plugin is { options: DevServerOptions } {
  if (typeof plugin !== 'object' || plugin === null) return false
  return 'setupMiddlewares' in plugin && 'startCallback' in plugin && 'options' in plugin
}

/** Where the socket of a dev server leads, by which hot updates come: a path, or a URL. */
export function readSocketAddress({ client, host: ownHost, webSocketServer }: DevServerOptions): string {
  const given = read(client, 'webSocketURL')
  // `'auto://0.0.0.0:0/ws'` is one.
  const url = isString(given) ? new URL(given.replace(/^\w+:/, 'ws:')) : given
  const host = read(url, 'hostname') ?? ownHost
  const path = [read(url, 'pathname'), read(read(webSocketServer, 'options'), 'path')].find(isString) ?? '/ws'
  // Otherwise it is the page's own host name, or this machine.
  return isString(host) && /^[\w-]+(\.[\w-]+)*\.[a-z][\w-]*$/i.test(host) ? `ws://${host}${path}` : path
}

const isString = (value: unknown): value is string => typeof value === 'string'

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
