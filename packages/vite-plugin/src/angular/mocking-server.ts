import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import { pathToFileURL } from 'node:url'

import { findHandlers } from '@understudy/engine/internal/dev'
import type { Plugin, ViteDevServer } from 'vite'

import type { UnderstudyOptions } from '../options.ts'
import { pluginName, Project } from '../project.ts'
import { excludeProxy } from '../rendering/rendering-context.ts'
import { listPlugins } from '../understudy.ts'
import type { Middleware } from './angular-build.ts'

export interface MockingServerOptions {
  /** The file of the Vite to use. */
  readonly vite: string
  /** The folder of the app, absolute. */
  readonly root: string
  readonly workspaceRoot: string
  readonly cacheDir: string
  /** The path below which Angular serves the app. */
  readonly appPath: string
  /** Whether Angular's dev server renders pages. */
  readonly rendersPages: boolean
  readonly options: UnderstudyOptions
}

/** What serves the handlers beside a dev server that takes no plugins. */
export interface MockingServer {
  /** Takes part in the other dev server: serves the modules, the worker and the panel, and puts the gate into pages. */
  readonly middleware: Middleware
  close(): Promise<void>
}

/**
 * Starts a second Vite server, without a port, that has the plugins and serves only their files: below a separate path,
 * through the other server's port.
 */
export async function startMockingServer(given: MockingServerOptions): Promise<MockingServer> {
  const { appPath, root, workspaceRoot, rendersPages } = given
  const { createServer } = (await import(pathToFileURL(given.vite).href)) as typeof import('vite')
  const base = `${appPath}@understudy/`
  /** Functions that pass a request on to the other server. */
  const returns = new WeakMap<object, (error?: unknown) => void>()
  const sockets = createHttpServer()
  const project = new Project({ ssr: rendersPages, ...given.options }, { base: appPath })
  const vite = await createServer({
    configFile: false,
    root,
    base,
    cacheDir: given.cacheDir,
    clearScreen: false,
    publicDir: false,
    // Rendered pages need the handlers before the app's code runs.
    appType: rendersPages ? 'custom' : 'spa',
    resolve: { tsconfigPaths: true },
    // Dependencies that Vite finds later reload the page.
    optimizeDeps: { entries: listEntries(root, project) },
    server: {
      middlewareMode: true,
      ws: { server: sockets },
      // The other server checks them.
      allowedHosts: true,
      cors: false,
      fs: { allow: [workspaceRoot] },
      watch: { ignored: ['**/.angular/**', '**/dist/**'] },
    },
    plugins: [listPlugins(project), returning(base, returns)],
  })
  const known = new WeakSet<Server>()
  return {
    middleware(request, response, next) {
      const server = findServer(request)
      if (server && !known.has(server)) {
        known.add(server)
        server.on('upgrade', (...args) => sockets.emit('upgrade', ...args))
        if (rendersPages) excludeProxies(server)
      }
      returns.set(request, next)
      vite.middlewares(request, response, next)
    },
    close: () => vite.close(),
  }
}

function listEntries(root: string, { options }: Project): string[] {
  try {
    return [findHandlers(root, options.handlers).path]
  } catch {
    // The page and the terminal say so.
    return []
  }
}

/** Ends the way of requests that are not below the base: Vite would answer some of them as if they were. */
function returning(base: string, returns: WeakMap<object, (error?: unknown) => void>): Plugin {
  return {
    name: `${pluginName}:angular`,
    enforce: 'post',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url?.startsWith(base)) next()
        else returns.get(request)?.()
      })
    },
  }
}

/** The server that received a request. By HTTP/2, the request's socket does not reveal it. */
function findServer(request: IncomingMessage): Server | undefined {
  const { stream } = request as { stream?: { session?: { socket?: object } } }
  const socket = (stream?.session?.socket ?? request.socket) as { server?: Server }
  return socket.server
}

function excludeProxies(server: Server): void {
  for (const listener of server.listeners('request')) {
    const app = listener as Partial<ViteDevServer['middlewares']>
    if (Array.isArray(app.stack)) excludeProxy(app as ViteDevServer['middlewares'])
  }
}
