import type { HandlersFile } from '@understudy/engine/internal/dev'
import type { Plugin, ResolvedConfig } from 'vite'

import { onlyFor } from '../hook-filter.ts'
import { pluginName, type Project } from '../project.ts'
import { bootstrapId, handlersId, virtual } from '../virtual-modules.ts'
import {
  createBrokenBootstrap,
  createBuildBootstrap,
  createDevBootstrap,
  createHandlersModule,
} from './module-texts.ts'

/** Serves the bootstrap module, which a page evaluates first, and the module with the handlers. */
export function pageModules(project: Project): Plugin {
  return {
    name: `${pluginName}:page-modules`,
    // Run before plugins that handle all modules.
    enforce: 'pre',

    resolveId: {
      filter: onlyFor(bootstrapId, handlersId),
      handler: (id) => (id === bootstrapId || id === handlersId ? virtual(id) : undefined),
    },

    load: {
      filter: onlyFor(virtual(bootstrapId), virtual(handlersId)),
      handler(id) {
        if (id === virtual(handlersId)) {
          const file = project.findHandlers()
          return createHandlersModule(file, urlOf(file, project))
        }
        if (id !== virtual(bootstrapId)) return undefined
        return project.config.command === 'build' ? loadBuildBootstrap(project) : loadDevBootstrap(project)
      },
    },
  }
}

function loadBuildBootstrap(project: Project): string {
  const { base } = project.config
  // Chunks and pages may be in different folders. Only the bundler knows the relative path.
  const workerUrl =
    base === './' || base === ''
      ? `import.meta.ROLLUP_FILE_URL_${project.workerAsset}`
      : JSON.stringify(project.workerPath)
  return createBuildBootstrap(
    { options: project.options, workerUrl, pages: project.pagesWithData },
    project.findHandlers(),
  )
}

function loadDevBootstrap(project: Project): string {
  const { config } = project
  const page = {
    options: project.options,
    // The worker works only on the dev server's origin. A page of another server that loads modules from here has no
    // worker.
    workerUrl: `new URL(import.meta.url).origin + ${JSON.stringify(project.workerPath)}`,
    pages: { ...project.pagesWithData, areServed: project.options.ssr },
    isBundled: project.isBundledDev,
    hasOverlay: hasOverlay(config),
    token: project.pageToken,
    appPath: project.appPath,
  }
  try {
    const file = project.findHandlers()
    project.forgetReport()
    project.areHandlersMissing = false
    return createDevBootstrap(page, file)
  } catch (error) {
    project.report(error as Error)
    project.areHandlersMissing = true
    return createBrokenBootstrap(page, (error as Error).message.replaceAll(project.folder, 'the root of the project'))
  }
}

function hasOverlay({ server }: ResolvedConfig): boolean {
  return server.hmr !== false && (server.hmr === true || server.hmr === undefined || server.hmr.overlay !== false)
}

/** Returns the URL of a file on the dev server. */
function urlOf({ path, name }: HandlersFile, { config: { root }, basePath }: Project): string {
  return path.startsWith(`${root}/`) ? basePath + name : `${basePath}@fs${path.startsWith('/') ? '' : '/'}${path}`
}
