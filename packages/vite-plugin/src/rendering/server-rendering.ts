import type { IncomingHttpHeaders } from 'node:http'

import { withCode } from '@understudy/engine/internal/dev'
import type { DevEnvironment, EnvironmentModuleNode, Plugin, RunnableDevEnvironment, ViteDevServer } from 'vite'

import { isOfHandlers } from '../dev-server/handlers-hot-swap.ts'
import { pluginName, type Project } from '../project.ts'
import { serverHandlersId, serverId, virtual } from '../virtual-modules.ts'
import { answerDocuments } from './answer-documents.ts'
import { isOfNuxt } from './nuxt-rendering.ts'
import { enterApp, excludeProxy } from './rendering-context.ts'
import { beforeImports, Rendering } from './rendering.ts'

/** Answers, by the same handlers, the requests that the dev server's own process makes while it renders pages. */
export function serverRendering(project: Project): Plugin {
  let rendering: Rendering | undefined
  return {
    name: `${pluginName}:server-rendering`,
    // Before plugins that render.
    enforce: 'pre',

    resolveId(id) {
      return id === serverId || id === serverHandlersId ? virtual(id) : undefined
    },

    load(id) {
      if (id === virtual(serverId)) {
        return `export { createRenderMocking } from '@understudy/engine/internal/node'
export { shareServer } from '@understudy/engine/inspect'`
      }
      if (id !== virtual(serverHandlersId)) return undefined
      return `import * as module from ${JSON.stringify(project.findHandlers().path)}\nexport { module }`
    },

    configureServer(server) {
      if (!project.isOn || !project.options.ssr || isOfVitest(server) || isOfNuxt(server.config)) return undefined
      const { ssr } = server.environments
      const elsewhere = findEnvironmentsElsewhere(server)
      if (elsewhere.length > 0) {
        const names = elsewhere.map((name) => JSON.stringify(name)).join(' and ')
        server.config.logger.warn(
          `[understudy] ${withCode('US0809', `Failed to mock requests of code in the environment ${names}: it runs in another process or runtime. Let it request the handlers as a server.`)}`,
        )
      }
      if (!isRunnable(ssr)) return undefined
      const own = new Rendering(project, ssr)
      rendering = own
      startBeforeModules(own, server)
      stopWith(own, ssr)
      server.middlewares.use(answerDocuments(own, project))
      const { appType } = server.config
      // The dev server only passes requests on to code elsewhere, by requests of its own.
      if (elsewhere.length > 0) return undefined
      server.middlewares.use((request, _response, next) => {
        enterApp()
        // Frameworks may evaluate modules by runners of their own.
        const isNeeded = own.isStarting || (appType === 'custom' && couldRender(request.headers))
        const goOn = (): void => next()
        if (isNeeded) void own.start().then(goOn)
        else goOn()
      })
      return () => excludeProxy(server.middlewares)
    },

    async hotUpdate({ type, modules, read }) {
      if (!rendering || this.environment.name !== 'ssr') return undefined
      const ours = modules.filter((module) => isOfHandlers(module, serverHandlersId))
      // Editors empty a file before they write it.
      if (type === 'update' && ours.length > 0) await read()
      rendering.renew(ours.length > 0)
      // If no module accepts the update, Vite evaluates all modules again.
      const others = modules.filter((module) => !ours.includes(module) || isOfApp(module))
      return others.length < modules.length ? others : undefined
    },
  }
}

/** Whether something else than the handlers imports a module. */
function isOfApp(module: EnvironmentModuleNode, seen: Set<EnvironmentModuleNode> = new Set([module])): boolean {
  if (module.id === virtual(serverHandlersId)) return false
  if (module.importers.size === 0) return true
  return [...module.importers].some((importer) => {
    if (seen.has(importer)) return false
    seen.add(importer)
    return isOfApp(importer, seen)
  })
}

/** Handlers are there before the first module of an app is evaluated, by whichever of Vite's ways. */
function startBeforeModules(rendering: Rendering, server: ViteDevServer): void {
  const ssrLoadModule = server.ssrLoadModule.bind(server)
  server.ssrLoadModule = async (...args) => {
    enterApp()
    await rendering.start()
    return ssrLoadModule(...args)
  }
  for (const environment of Object.values(server.environments)) {
    if (!isRunnable(environment)) continue
    beforeImports(environment, () => {
      enterApp()
      return rendering.start()
    })
  }
}

/** A server that restarts is not closed by its own `close`, but its environments are. */
function stopWith(rendering: Rendering, environment: DevEnvironment): void {
  const close = environment.close.bind(environment)
  environment.close = async () => {
    rendering.stop()
    await close()
  }
}

/** The names of the environments whose code runs in another process or runtime: the handlers do not answer there. */
function findEnvironmentsElsewhere({ environments }: ViteDevServer): string[] {
  return Object.values(environments)
    .filter((environment) => environment.config.consumer === 'server' && !isRunnable(environment))
    .map(({ name }) => name)
}

/** Vite's own check fails where the framework brings another Vite than the one that this plugin finds. */
function isRunnable(environment: DevEnvironment | undefined): environment is RunnableDevEnvironment {
  return environment !== undefined && 'runner' in environment
}

/** Tests have a process of their own, and handlers there. */
function isOfVitest({ config }: ViteDevServer): boolean {
  return config.plugins.some(({ name }) => name === 'vitest')
}

/** Whether a request may be for something that is rendered; modules, styles and images are not. */
function couldRender(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'document'
  return ['document', 'iframe', 'frame', 'empty'].includes(String(destination))
}
