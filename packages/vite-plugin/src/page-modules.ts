import type { HandlersFile } from '@understudy/engine/dev'
import type { Plugin, ResolvedConfig } from 'vite'

import {
  createBrokenBootstrap,
  createBuildBootstrap,
  createDevBootstrap,
  createHandlersModule,
} from './module-texts.ts'
import { pluginName, type Project } from './project.ts'
import { bootstrapId, handlersId, virtual } from './virtual-modules.ts'

/** Brings the bootstrap module, which a page evaluates first, and the one that holds the handlers. */
export function pageModules(project: Project): Plugin {
  return {
    name: `${pluginName}:page-modules`,
    // Before plugins that take modules over.
    enforce: 'pre',

    resolveId(id) {
      return id === bootstrapId || id === handlersId ? virtual(id) : undefined
    },

    load(id) {
      if (id === virtual(handlersId)) {
        const file = project.findHandlers()
        return createHandlersModule(file, urlOf(file, project))
      }
      if (id !== virtual(bootstrapId)) return undefined
      return project.config.command === 'build' ? loadBuildBootstrap(project) : loadDevBootstrap(project)
    },
  }
}

function loadBuildBootstrap(project: Project): string {
  const { base } = project.config
  // Chunks may lie in another folder, and pages too: only the bundler knows the way from one to the other.
  const workerUrl =
    base === './' || base === ''
      ? `import.meta.ROLLUP_FILE_URL_${project.workerAsset}`
      : JSON.stringify(project.workerPath)
  return createBuildBootstrap({ options: project.options, workerUrl, pages: project.pages }, project.findHandlers())
}

function loadDevBootstrap(project: Project): string {
  const { config } = project
  const page = {
    options: project.options,
    // Of the dev server's origin: a page of another server, which loads modules from here, has no worker.
    workerUrl: `new URL(import.meta.url).origin + ${JSON.stringify(project.workerPath)}`,
    pages: project.pages,
    isBundled: project.isBundledDev,
    hasOverlay: hasOverlay(config),
    token: project.pageToken,
  }
  try {
    const file = project.findHandlers()
    project.forgetReport()
    return createDevBootstrap(page, file)
  } catch (error) {
    project.report(error as Error)
    return createBrokenBootstrap(page, (error as Error).message.replaceAll(config.root, 'the root of the project'))
  }
}

function hasOverlay({ server }: ResolvedConfig): boolean {
  return server.hmr !== false && (server.hmr === true || server.hmr === undefined || server.hmr.overlay !== false)
}

/** Where the browser finds a file of the dev server. */
function urlOf({ path, name }: HandlersFile, { config: { root }, basePath }: Project): string {
  return path.startsWith(`${root}/`) ? basePath + name : `${basePath}@fs${path.startsWith('/') ? '' : '/'}${path}`
}
