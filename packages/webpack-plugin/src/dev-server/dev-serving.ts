import { withCode } from '@understudy/engine/internal/dev'

import type { Compiler } from '../compiler.ts'
import { pluginName, type Project } from '../project.ts'
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
import { SourcePlaces } from './source-places.ts'
import { answerWebWorkers, createWorkerMiddleware } from './worker-serving.ts'

/** A project with the source positions of its handlers. */
interface Served {
  readonly project: Project
  /** Undefined if the project has no panel. */
  readonly places: SourcePlaces | undefined
  /** Whether a dev server serves the panel. */
  isServed: boolean
}

/** The projects that this process serves, by compiler. One dev server may serve several compilers. */
const known = new WeakMap<object, Served>()

/** Servers that already serve {@link known}. Several compilers may use the same server. */
const extended = new WeakSet<DevServerOptions>()

/** Serves files that are not in the compiler's output on each of its dev servers: the worker and the panel. */
export function serveInDevelopment(project: Project): void {
  const { compiler } = project
  const { isShared, tool } = project
  known.set(compiler, {
    project,
    places: isShared ? new SourcePlaces(project) : undefined,
    isServed: tool !== undefined,
  })
  if (tool) return
  if (isShared) sayThatPanelIsMissing(compiler)
  meetDevServers(compiler, extendDevServer)
}

/** Makes a dev server with these options serve the worker and the panel of its compilers, once. */
export function extendDevServer(options: DevServerOptions): void {
  if (extended.has(options)) return
  extended.add(options)

  const { setupMiddlewares, onListening } = options
  options.setupMiddlewares = (middlewares, server) => {
    for (const each of listCompilers(server)) linkPanel(each)
    const given = setupMiddlewares ? setupMiddlewares(middlewares, server) : middlewares
    // Run after the middlewares that check the `Host` header.
    const at = given.findLastIndex((each) => typeof each === 'object' && each.name?.endsWith('-header-check')) + 1
    return given.toSpliced(at, 0, ...createMiddlewares(server, readEditorPath(given)))
  }
  options.onListening = (server) => {
    onListening?.(server)
    printAddresses(server)
  }
}

/** Links the panel in the compiler's pages. A server may start several times. */
function linkPanel(compiler: object): void {
  const served = known.get(compiler)
  if (!served || served.isServed) return
  served.isServed = true
  served.project.linkPanel()
}

/** Prints once, after the first compilation, that the dev server does not serve the panel. */
function sayThatPanelIsMissing(compiler: Compiler): void {
  const { done } = compiler.hooks
  let isFirst = true
  done.tap(pluginName, () => {
    // `webpack --watch` has no dev server, and no panel.
    if (
      !isFirst ||
      known.get(compiler)?.isServed ||
      !done.taps.some(({ name }) => /-dev-(?:server|middleware)$/.test(name))
    )
      return
    isFirst = false
    compiler
      .getInfrastructureLogger(pluginName)
      .warn(
        withCode(
          'US0872',
          'There is no panel, because the dev server has options that the plugin cannot see. Pass plugin.extendDevServer(options) to ' +
            "the dev server, or set the plugin's option panel: false.",
        ),
      )
  })
}

function createMiddlewares(server: DevServer, editorPath: string | undefined): Middleware[] {
  const editor = editorPath && `${editorPath}?fileName=`
  return listHandlers(listCompilers(server), editor).map((middleware) => ({ name: pluginName, middleware }))
}

/**
 * Creates the middleware that serves the workers and the panels of all compilers.
 *
 * @param editor the URL that opens a file in the editor, up to the file's path; undefined if the dev server cannot open files
 */
export function listHandlers(
  compilers: readonly object[],
  editor: string | undefined,
): ReturnType<typeof createPanel>[] {
  const served = listServed(compilers)
  const places = served.flatMap((each) => each.places ?? [])
  const [first, ...others] = served.filter((each) => each.places)
  // If the compilers have different handlers files, it is unknown which one a page uses.
  const isOneFile = others.every(({ project }) => first && hasHandlersOf(project, first.project))
  const find = first && isOneFile ? () => first.project.findHandlers() : undefined
  // Compilers of one dev server belong to one repository.
  const root = first?.project.compiler.context ?? process.cwd()
  const panels = listPanels(compilers).map((base) => createPanel(base, root, places, editor, find))
  return [...served.map(({ project }) => createWorkerMiddleware(project)), answerWebWorkers, ...panels]
}

function hasHandlersOf({ compiler, options }: Project, other: Project): boolean {
  return compiler.context === other.compiler.context && options.handlers === other.options.handlers
}

/** Prints the panel's URL after the server has printed its own URL. */
function printAddresses(server: DevServer): void {
  const origin = readOrigin(server)
  if (origin === undefined) return
  for (const base of listPanels(listCompilers(server))) server.logger.info(`Understudy: ${origin}${base}__understudy/`)
}

function listServed(compilers: readonly object[]): Served[] {
  return compilers.flatMap((compiler) => known.get(compiler) ?? [])
}

/** Returns the paths of the compilers' panels. */
export function listPanels(compilers: readonly object[]): string[] {
  const served = listServed(compilers).filter(({ places }) => places)
  return [...new Set(served.map(({ project }) => project.basePath))]
}
