import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'

import { withCode } from '@understudy/engine/internal/dev'
import type { DevEnvironment, EnvironmentModuleNode, Plugin, RunnableDevEnvironment, ViteDevServer } from 'vite'

import { isOfHandlers, reportSecondSave } from '../dev-server/handlers-hot-swap.ts'
import { onlyFor } from '../hook-filter.ts'
import { pluginName, type Project } from '../project.ts'
import { serverHandlersId, serverId, virtual } from '../virtual-modules.ts'
import { answerDocuments } from './answer-documents.ts'
import { isOfNuxt } from './nuxt-rendering.ts'
import { enterApp, enterAppToo, excludeProxy } from './rendering-context.ts'
import { beforeImports, Rendering } from './rendering.ts'

/** Answers the requests that the dev server's process makes while it renders pages, with the same handlers. */
export function serverRendering(project: Project): Plugin {
  let rendering: Rendering | undefined
  return {
    name: `${pluginName}:server-rendering`,
    // Run before plugins that render.
    enforce: 'pre',

    resolveId: {
      filter: onlyFor(serverId, serverHandlersId),
      handler: (id) => (id === serverId || id === serverHandlersId ? virtual(id) : undefined),
    },

    load: {
      filter: onlyFor(virtual(serverId), virtual(serverHandlersId)),
      handler(id) {
        if (id === virtual(serverId)) {
          return `export { createRenderMocking } from '@understudy/engine/internal/node'
export { shareServer } from '@understudy/engine/inspect'`
        }
        if (id !== virtual(serverHandlersId)) return undefined
        return `import * as module from ${JSON.stringify(project.findHandlers().path)}\nexport { module }`
      },
    },

    configureServer(server) {
      const restart = restarts.getStore()
      // A new server before this one may have failed to start.
      if (restart) restart.next = undefined
      if (!project.isOn || !project.options.ssr || isOfVitest(server) || isOfNuxt(server.config)) return undefined
      const { ssr } = server.environments
      const elsewhere = findEnvironmentsElsewhere(server)
      if (elsewhere.length > 0) {
        const names = elsewhere.map((name) => JSON.stringify(name)).join(' and ')
        server.config.logger.warn(
          `[understudy] ${withCode('US0809', `Failed to mock requests from the environment ${names}: its code runs in another process or runtime. Run the handlers as a server, and send the requests to it.`)}`,
        )
      }
      // RedwoodSDK evaluates the modules of "ssr" in workerd. This process cannot: they have no modules of Node.
      const isOfWorkers = elsewhere.length > 0 && server.config.ssr.target === 'webworker'
      if (!isRunnable(ssr) || isOfWorkers) return undefined
      const own = new Rendering(project, ssr)
      rendering = own
      startBeforeModules(own, server)
      if (restart) restart.next = own
      stopWith(own, ssr)
      watchRestarts(own, server)
      server.middlewares.use(answerDocuments(own, project))
      const { appType } = server.config
      // Here, the dev server only forwards requests to code in another process.
      if (elsewhere.length > 0) return undefined
      server.middlewares.use((request, _response, next) => {
        enterApp(own.mark)
        // Frameworks may evaluate modules with their own runners.
        const isNeeded = own.isStarting || (appType === 'custom' && couldRender(request.headers))
        const goOn = (): void => next()
        // A rejection that nothing handles would end the process of the dev server.
        if (isNeeded) void own.start().then(goOn, next)
        else goOn()
      })
      return () => excludeProxy(server.middlewares)
    },

    async hotUpdate({ type, modules, file, read, server }) {
      if (!rendering || this.environment.name !== 'ssr') return undefined
      const ours = modules.filter((module) => isOfHandlers(module, serverHandlersId))
      // Ignore an empty file, because editors empty a file before they write it.
      if (type === 'update' && ours.length > 0) {
        const text = await read()
        // If a page has the handlers, `handlersHotSwap` does.
        if (!isInPages(server, file)) reportSecondSave(server, file, text)
      }
      rendering.renew(ours.length > 0)
      // If no module accepts the update, Vite evaluates all modules again.
      const others = modules.filter((module) => !ours.includes(module) || isOfApp(module))
      return others.length < modules.length ? others : undefined
    },
  }
}

/** Returns whether a file belongs to the handlers of pages. */
function isInPages({ environments }: ViteDevServer, file: string): boolean {
  return [...(environments['client']?.moduleGraph.getModulesByFile(file) ?? [])].some((module) => isOfHandlers(module))
}

/** Returns whether a module other than the handlers imports a module. */
function isOfApp(module: EnvironmentModuleNode, seen: Set<EnvironmentModuleNode> = new Set([module])): boolean {
  if (module.id === virtual(serverHandlersId)) return false
  if (module.importers.size === 0) return true
  return [...module.importers].some((importer) => {
    if (seen.has(importer)) return false
    seen.add(importer)
    return isOfApp(importer, seen)
  })
}

/** Loads the handlers before the first module of an app is evaluated, for each of Vite's ways to evaluate modules. */
function startBeforeModules(rendering: Rendering, server: ViteDevServer): void {
  const ssrLoadModule = server.ssrLoadModule.bind(server)
  server.ssrLoadModule = async (...args) => {
    enterAppToo(rendering.mark)
    await rendering.start()
    return ssrLoadModule(...args)
  }
  for (const environment of Object.values(server.environments)) {
    if (!isRunnable(environment)) continue
    beforeImports(environment, () => {
      enterAppToo(rendering.mark)
      return rendering.start()
    })
  }
}

/** A restart of a server. It may create several new servers. */
interface Restart {
  current: Rendering
  /** The rendering of the new server; `undefined` if it renders nothing. */
  next: Rendering | undefined
}

/** The restart that runs the current code. */
const restarts = new AsyncLocalStorage<Restart>()

function watchRestarts(rendering: Rendering, server: ViteDevServer): void {
  const native = server.restart.bind(server)
  server.restart = async (...args) => {
    const restart: Restart = { current: rendering, next: undefined }
    try {
      await restarts.run(restart, () => native(...args))
    } finally {
      // Code that the restart started, such as the file watcher, runs in its context forever.
      restart.next = undefined
    }
  }
}

/**
 * Stops when an environment closes. On a restart, Vite closes the environments of the old server, but does not call its
 * `close`.
 */
function stopWith(rendering: Rendering, environment: DevEnvironment): void {
  const close = environment.close.bind(environment)
  environment.close = async () => {
    const restart = restarts.getStore()
    const next = restart?.current === rendering ? restart.next : undefined
    rendering.stop(next)
    if (restart && next) restart.current = next
    await close()
  }
}

/**
 * Returns the names of the environments whose code runs in another process or runtime, where the handlers do not
 * answer.
 */
function findEnvironmentsElsewhere({ environments }: ViteDevServer): string[] {
  return Object.values(environments)
    .filter((environment) => environment.config.consumer === 'server' && !isRunnable(environment))
    .map(({ name }) => name)
}

/** Vite's own check fails if the framework uses another copy of Vite than this plugin. */
function isRunnable(environment: DevEnvironment | undefined): environment is RunnableDevEnvironment {
  return environment !== undefined && 'runner' in environment
}

/** Tests run in another process, with their own handlers. */
function isOfVitest({ config }: ViteDevServer): boolean {
  return config.plugins.some(({ name }) => name === 'vitest')
}

/** Returns whether a request may be for rendered content. Modules, styles and images are not rendered. */
function couldRender(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'document'
  return ['document', 'iframe', 'frame', 'empty'].includes(String(destination))
}
