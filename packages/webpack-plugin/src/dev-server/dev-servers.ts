import type { Compiler, CompilerOptions } from '../compiler.ts'

/** Options of webpack-dev-server and of Rspack's, as far as they are used here. */
export interface DevServerOptions {
  setupMiddlewares?: (middlewares: Middleware[], server: DevServer) => Middleware[]
  onListening?: (server: DevServer) => void
  client?: unknown
  /** An object, a list of `{ key, value }`, or a function. */
  headers?: unknown
  host?: unknown
  webSocketServer?: unknown
  proxy?: unknown
}

/** A middleware, as dev servers list them. */
export type Middleware = ((...args: never[]) => unknown) | { name?: string; path?: string; middleware: unknown }

/** A running dev server: of one compiler, or of several. */
export interface DevServer {
  readonly compiler: Compiler | { readonly compilers: readonly Compiler[] }
  readonly options: DevServerOptions
  readonly isTlsServer?: boolean
  /** `address()`: a string for a socket of the operating system. */
  readonly server?: { address(): string | { readonly port: number } | null } | null | undefined
  readonly logger: { info(message: string): void }
}

/**
 * The options of the dev servers that are configured for this compiler: the compiler's own, which command lines make a
 * server of, and those of servers among its plugins, which is how webpack-cli 7 runs webpack-dev-server 6.
 */
export function listDevServers({ devServer, plugins }: CompilerOptions): DevServerOptions[] {
  if (devServer === false) return []
  const own = isObject(devServer) ? [devServer as DevServerOptions] : []
  return [...own, ...plugins.filter(isDevServer).map((server) => server.options)]
}

/**
 * Meets the options of every dev server of a compiler, those that come later included, before a server reads them:
 *
 * - what is configured ({@link listDevServers});
 * - where nothing is, what a command line takes in its place. Of several compilers, it serves those that have options:
 *   they must not seem to have some;
 * - what a script gives to webpack-dev-server 6, and webpack-cli 7 to a server of several compilers: the server has
 *   the compiler check it.
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
    // Whether it is one of several is known only when all of them have been made.
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

/** The compilers that a dev server serves. */
export function listCompilers({ compiler }: DevServer): readonly Compiler[] {
  return 'compilers' in compiler ? compiler.compilers : [compiler]
}

/**
 * Where a dev server opens files in the developer's editor: webpack-dev-server and Rspack's each have a path of their
 * own for what their overlays open.
 *
 * @returns the path, or `undefined` if the server has no such path
 */
export function readEditorPath(middlewares: readonly Middleware[]): string | undefined {
  for (const each of middlewares) {
    if (typeof each === 'object' && each.name?.endsWith('-open-editor') && each.path !== undefined) return each.path
  }
  return undefined
}

/** The address by which people open a dev server; nothing, where it has no port. */
export function readOrigin({ options: { host }, isTlsServer, server }: DevServer): string | undefined {
  const address = server?.address()
  if (typeof address !== 'object' || address === null) return undefined
  const isNamed = isString(host) && !/^(0\.0\.0\.0|::|local-ip(v[46])?)$/.test(host)
  const name = isNamed ? host : 'localhost'
  return `${isTlsServer ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${address.port}`
}

/** Where the sockets of a compiler's dev servers lead. */
export function listSocketAddresses(options: CompilerOptions): string[] {
  const servers = listDevServers(options)
  return [...new Set((servers.length > 0 ? servers : [{}]).map(readSocketAddress))]
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
  return isObject(value) ? Reflect.get(value, key) : undefined
}
