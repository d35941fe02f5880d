import type { Compiler, CompilerOptions } from '../compiler.ts'

/** The used options of webpack-dev-server and of Rspack's dev server. */
export interface DevServerOptions {
  setupMiddlewares?: (middlewares: Middleware[], server: DevServer) => Middleware[]
  onListening?: (server: DevServer) => void
  client?: unknown
  /** An object, a list of `{ key, value }`, or a function. */
  headers?: unknown
  host?: unknown
  webSocketServer?: unknown
  proxy?: unknown
  /** `'https'`, or an object with such a `type`. */
  server?: unknown
}

/** A middleware, as dev servers list them. */
export type Middleware = ((...args: never[]) => unknown) | { name?: string; path?: string; middleware: unknown }

/** A running dev server: of one compiler, or of several. */
export interface DevServer {
  readonly compiler: Compiler | { readonly compilers: readonly Compiler[] }
  readonly options: DevServerOptions
  /** webpack-dev-server 4 does not have it. */
  readonly isTlsServer?: boolean
  /** `address()`: a string for a socket of the operating system. */
  readonly server?: { address(): string | { readonly port: number } | null } | null | undefined
  readonly logger: { info(message: string): void }
}

/**
 * Returns the options of the dev servers of a compiler: the compiler's own options, from which command lines create a
 * server, and the options of servers among its plugins, which is how webpack-cli 7 runs webpack-dev-server 6.
 */
export function listDevServers({ devServer, plugins }: CompilerOptions): DevServerOptions[] {
  if (devServer === false) return []
  const own = isObject(devServer) ? [devServer as DevServerOptions] : []
  return [...own, ...plugins.filter(isDevServer).map((server) => server.options)]
}

/**
 * Calls a function with the options of every dev server of a compiler, including later ones, before a server reads
 * them:
 *
 * - the configured options ({@link listDevServers});
 * - without configured options, the ones that a command line uses instead. If there are several compilers, a command
 * line serves those with options, so the others must stay without;
 * - the options that a script passes to webpack-dev-server 6, or webpack-cli 7 to a server of several compilers. The
 * compiler validates them.
 */
export function meetDevServers(compiler: Compiler, meet: (options: DevServerOptions) => void): void {
  const { options } = compiler
  if (options.devServer === false) return
  for (const each of listDevServers(options)) meet(each)
  if (options.devServer === undefined) meetOptionsToCome(compiler, meet)
  const { validate } = compiler
  if (!validate) return
  compiler.validate = (schema, value, about, ...rest) => {
    if (about?.name === 'Dev Server' && isObject(value)) meet(value)
    validate.call(compiler, schema, value, about, ...rest)
  }
}

function meetOptionsToCome({ options, hooks }: Compiler, meet: (options: DevServerOptions) => void): void {
  const ours: DevServerOptions = {}
  meet(ours)
  const isOneOfSeveral = (): boolean => hooks.done.taps.some(({ name }) => name === 'MultiCompiler')
  let given: unknown
  Object.defineProperty(options, 'devServer', {
    configurable: true,
    enumerable: true,
    // It is known only after all compilers were created whether there are several.
    get: () => given ?? (isOneOfSeveral() ? undefined : ours),
    set(next: unknown) {
      given = next
      if (isObject(next)) meet(next)
    },
  })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isDevServer(plugin: unknown): plugin is { options: DevServerOptions } {
  if (!isObject(plugin)) return false
  return 'setupMiddlewares' in plugin && 'startCallback' in plugin && 'options' in plugin
}

/** Returns the compilers that a dev server serves. */
export function listCompilers({ compiler }: DevServer): readonly Compiler[] {
  return 'compilers' in compiler ? compiler.compilers : [compiler]
}

/**
 * Finds the path with which a dev server opens files in the developer's editor. webpack-dev-server and Rspack's dev
 * server have different paths for their overlays.
 *
 * @returns the path, or `undefined` if the server has no such path
 */
export function readEditorPath(middlewares: readonly Middleware[]): string | undefined {
  for (const each of middlewares) {
    if (typeof each === 'object' && each.name?.endsWith('-open-editor') && each.path !== undefined) return each.path
  }
  return undefined
}

/** Returns the origin of a dev server; `undefined` if it has no port. */
export function readOrigin({ options, isTlsServer, server }: DevServer): string | undefined {
  const { host } = options
  const address = server?.address()
  if (typeof address !== 'object' || address === null) return undefined
  const isNamed = isString(host) && !/^(0\.0\.0\.0|::|local-ip(v[46])?)$/.test(host)
  const name = isNamed ? host : 'localhost'
  const isSecure = isTlsServer ?? /^(?:https|spdy|http2)$/.test(String(read(options.server, 'type') ?? options.server))
  return `${isSecure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${address.port}`
}

/** Returns the addresses of the sockets of a compiler's dev servers. */
export function listSocketAddresses(options: CompilerOptions): string[] {
  const servers = listDevServers(options)
  return [...new Set((servers.length > 0 ? servers : [{}]).map(readSocketAddress))]
}

/** Returns the address of a dev server's socket for hot updates: a path or a URL. */
export function readSocketAddress({ client, host: ownHost, webSocketServer }: DevServerOptions): string {
  const given = read(client, 'webSocketURL')
  // `'auto://0.0.0.0:0/ws'` is a valid value.
  const url = isString(given) ? new URL(given.replace(/^\w+:/, 'ws:')) : given
  const host = read(url, 'hostname') ?? ownHost
  const path = [read(url, 'pathname'), read(read(webSocketServer, 'options'), 'path')].find(isString) ?? '/ws'
  // Otherwise, the host is the page's or this machine.
  return isString(host) && /^[\w-]+(\.[\w-]+)*\.[a-z][\w-]*$/i.test(host) ? `ws://${host}${path}` : path
}

const isString = (value: unknown): value is string => typeof value === 'string'

function read(value: unknown, key: string): unknown {
  return isObject(value) ? Reflect.get(value, key) : undefined
}
