import {
  listCompilers,
  meetDevServers,
  readEditorPath,
  readOrigin,
  type DevServer,
  type DevServerOptions,
  type Middleware,
} from './dev-servers.ts'
import { createPanel } from './panel-serving.ts'
import { pluginName, type Project } from './project.ts'
import { SourcePlaces } from './source-places.ts'
import { createWorkerMiddleware } from './worker-serving.ts'

/** A project, and where its handlers are written. */
interface Served {
  readonly project: Project
  /** Nothing, where it has no panel. */
  readonly places: SourcePlaces | undefined
}

/** What is served in this process, by its compiler: one dev server may serve several. */
const known = new WeakMap<object, Served>()

/** Servers that know of {@link known} already: several compilers may name the same. */
const extended = new WeakSet<DevServerOptions>()

/** Serves, on every dev server of a compiler, what is no part of its output: the worker, and the panel. */
export function serveInDevelopment(project: Project): void {
  const { compiler } = project
  known.set(compiler, { project, places: project.isShared ? new SourcePlaces(project) : undefined })
  meetDevServers(compiler, (options) => {
    if (extended.has(options)) return
    extended.add(options)
    extend(options)
  })
}

function extend(options: DevServerOptions): void {
  const { setupMiddlewares, onListening } = options
  options.setupMiddlewares = (middlewares, server) => {
    const given = setupMiddlewares ? setupMiddlewares(middlewares, server) : middlewares
    // After those that see to it that the server is asked by a name that it goes by.
    const at = given.findLastIndex((each) => typeof each === 'object' && each.name?.endsWith('-header-check')) + 1
    return given.toSpliced(at, 0, ...createMiddlewares(server, readEditorPath(given)))
  }
  options.onListening = (server) => {
    onListening?.(server)
    printAddresses(server)
  }
}

function createMiddlewares(server: DevServer, editorPath: string | undefined): Middleware[] {
  const served = listServed(server)
  const places = served.flatMap((each) => each.places ?? [])
  const panels = [...listPanels(served)].map((base) => createPanel(base, places, editorPath))
  const workers = served.map(({ project }) => createWorkerMiddleware(project))
  return [...workers, ...panels].map((middleware) => ({ name: pluginName, middleware }))
}

/** Says where the panel is, after the server has said where it is itself. */
function printAddresses(server: DevServer): void {
  const origin = readOrigin(server)
  if (origin === undefined) return
  for (const base of listPanels(listServed(server))) server.logger.info(`Understudy: ${origin}${base}__understudy/`)
}

function listServed(server: DevServer): Served[] {
  return listCompilers(server).flatMap((compiler) => known.get(compiler) ?? [])
}

/** The paths under which there is a panel. */
function listPanels(served: readonly Served[]): Set<string> {
  return new Set(served.filter(({ places }) => places).map(({ project }) => project.basePath))
}
