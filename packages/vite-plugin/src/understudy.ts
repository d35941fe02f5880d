import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import {
  findHandlers,
  handlersPlaces,
  readGateScript,
  readOptions,
  readWorkerScript,
  selfRemovingWorker,
  type HandlersFile,
  type PluginOptions,
  type ResolvedOptions,
} from '@understudy/engine/dev'
import type { EnvironmentModuleNode, HtmlTagDescriptor, Plugin, ResolvedConfig, ViteDevServer } from 'vite'

import {
  bootstrapId,
  createBrokenBootstrap,
  createBuildBootstrap,
  createDevBootstrap,
  createHandlersModule,
  handlersId,
} from './page-modules.ts'
import { serveScript } from './serve-script.ts'

const pluginName = '@understudy/vite-plugin'

/** The script that evaluates the bootstrap module. */
const moduleTag: HtmlTagDescriptor = {
  tag: 'script',
  attrs: { type: 'module', 'data-understudy': '' },
  injectTo: 'head-prepend',
}

/** How Vite marks modules that are no files. */
const virtual = (id: string): string => `\0${id}`

/**
 * Mocks the requests of a Vite app: brings the worker and the handlers in before the app's first line runs, swaps
 * handlers as they are edited, and leaves nothing in a build.
 *
 * @param options see {@link PluginOptions}; a misspelt one is shown where Vite shows its errors
 * @example
 * // vite.config.ts; the handlers are found in src/mocks/handlers.ts
 * export default defineConfig({ plugins: [understudy()] })
 */
export function understudy(options: PluginOptions = {}): Plugin[] {
  let config: ResolvedConfig
  let resolved: ResolvedOptions
  /** What is wrong with the options: told where errors are shown, because a page must not run unmocked unnoticed. */
  let optionsError: Error | undefined
  let isOn = false
  let workerAsset: string | undefined

  try {
    resolved = readOptions(options, 'understudy()')
  } catch (error) {
    optionsError = error as Error
    resolved = readOptions({}, 'understudy()')
  }

  /** The base as a path: Vite allows a whole URL (a CDN) and relative ones. */
  const basePath = (): string => new URL(config.base, 'http://localhost/').pathname
  const workerPath = (): string => basePath() + resolved.worker.file
  const scope = (): string => resolved.worker.scope ?? basePath()
  const find = (): HandlersFile => {
    if (optionsError) throw optionsError
    return findHandlers(config.root, resolved.handlers)
  }
  let lastReport: string | undefined
  /** Tells the terminal what is wrong, once until it changes. */
  const report = (error: Error): void => {
    if (error.message !== lastReport) config.logger.error(`[understudy] ${error.message}`, { timestamp: true })
    lastReport = error.message
  }

  const main: Plugin = {
    name: pluginName,
    // Before plugins that take modules or pages over.
    enforce: 'pre',

    config(_config, { command, isPreview }) {
      isOn = resolved.enabled ?? (command === 'serve' && !isPreview)
      if (!isOn) return undefined
      return {
        resolve: { dedupe: ['@understudy/engine'] },
        // Found late, they would reload the page while it loads for the first time.
        optimizeDeps: { include: ['@understudy/engine', '@understudy/engine/bootstrap'] },
      }
    },

    configResolved(resolvedConfig) {
      config = resolvedConfig
    },

    buildStart() {
      if (config.command === 'serve') return
      if (optionsError) this.error(optionsError.message)
      // What is built for a server has no pages.
      if (!isOn || this.environment.config.consumer !== 'client') return
      try {
        find()
      } catch (error) {
        this.error((error as Error).message)
      }
      workerAsset = this.emitFile({
        type: 'asset',
        fileName: resolved.worker.file,
        source: readWorkerScript(),
      })
    },

    resolveId(id) {
      return id === bootstrapId || id === handlersId ? virtual(id) : undefined
    },

    load(id) {
      if (id === virtual(handlersId)) {
        const file = find()
        return createHandlersModule(file, urlOf(file, config.root, basePath()))
      }
      if (id !== virtual(bootstrapId)) return undefined
      if (config.command === 'build') {
        // Chunks may lie in another folder, and pages too: only the bundler knows the way from one to the other.
        const workerUrl =
          config.base === './' || config.base === ''
            ? `import.meta.ROLLUP_FILE_URL_${workerAsset}`
            : JSON.stringify(workerPath())
        return createBuildBootstrap({ options: resolved, workerUrl }, find())
      }
      const page = {
        options: resolved,
        workerUrl: JSON.stringify(workerPath()),
        hasOverlay: hasOverlay(config),
        root: config.root,
        base: basePath(),
      }
      try {
        const file = find()
        lastReport = undefined
        return createDevBootstrap(page, file)
      } catch (error) {
        report(error as Error)
        return createBrokenBootstrap(page, error as Error, config.configFile ?? 'vite.config')
      }
    },

    configureServer(server) {
      const read = (): string => (isOn ? readWorkerScript() : selfRemovingWorker)
      server.middlewares.use(serveScript(workerPath(), read, scope()))
      if (!isOn) return
      try {
        find()
      } catch (error) {
        report(error as Error)
      }
      watchHandlers(server)
    },

    async hotUpdate({ type, modules, read }) {
      if (!isOn || this.environment.name !== 'client') return
      const ours = modules.filter((module) => isOfHandlers(module))
      // Editors empty a file before they write it: the page must not get it in between.
      if (type === 'update' && ours.length > 0) await read()
      // Vite takes a module that it could not analyse for one that no page waits for, and would not tell of its mend.
      for (const module of ours) module.isSelfAccepting ??= false
    },

    configurePreviewServer(server) {
      // A build without mocks: what an earlier run left under this address removes itself.
      const isBuilt = (): boolean => existsSync(resolve(config.root, config.build.outDir, resolved.worker.file))
      server.middlewares.use(serveScript(workerPath(), () => (isBuilt() ? undefined : selfRemovingWorker), scope()))
    },

    transformIndexHtml: {
      order: 'pre',
      handler() {
        // A build takes modules from the page as the first hooks leave it.
        return isOn && config.command === 'build'
          ? [{ ...moduleTag, children: `import ${JSON.stringify(bootstrapId)}` }]
          : undefined
      },
    },
  }

  /** What is injected last, in front, stands first: before the scripts of Vite and of every other plugin. */
  const gate: Plugin = {
    name: `${pluginName}:gate`,
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler() {
        if (!isOn) return undefined
        const tags: HtmlTagDescriptor[] = [{ tag: 'script', children: readGateScript(), injectTo: 'head-prepend' }]
        if (config.command === 'serve') {
          // The dev server would put the base before an address that stands in the page earlier.
          tags.push({ ...moduleTag, attrs: { ...moduleTag.attrs, src: `${basePath()}@id/__x00__${bootstrapId}` } })
        }
        return tags
      },
    },
  }

  return [main, gate]

  /** A handlers file that comes or goes is no edit of a module: pages must ask anew. */
  function watchHandlers(server: ViteDevServer): void {
    const places = resolved.handlers === undefined ? handlersPlaces : [resolved.handlers]
    const bases = places.map((place) => resolve(config.root, place).replaceAll('\\', '/'))
    const onChange = (path: string): void => {
      const changed = path.replaceAll('\\', '/')
      if (
        !bases.some(
          (base) => changed === base || changed.startsWith(`${base}.`) || changed.startsWith(`${base}/index.`),
        )
      ) {
        return
      }
      const { moduleGraph } = server
      for (const id of [bootstrapId, handlersId]) {
        const module = moduleGraph.getModuleById(virtual(id))
        if (module) moduleGraph.invalidateModule(module)
      }
      server.ws.send({ type: 'full-reload' })
    }
    server.watcher.on('add', onChange)
    server.watcher.on('unlink', onChange)
  }
}

/** Whether the handlers import a module, themselves or by others. */
function isOfHandlers(module: EnvironmentModuleNode, seen = new Set<EnvironmentModuleNode>()): boolean {
  if (module.id === virtual(handlersId)) return true
  if (seen.has(module)) return false
  seen.add(module)
  return [...module.importers].some((importer) => isOfHandlers(importer, seen))
}

function hasOverlay({ server }: ResolvedConfig): boolean {
  return server.hmr !== false && (server.hmr === true || server.hmr === undefined || server.hmr.overlay !== false)
}

/** Where the browser finds a file of the dev server. */
function urlOf({ path, name }: HandlersFile, root: string, base: string): string {
  return path.startsWith(`${root}/`) ? base + name : `${base}@fs${path.startsWith('/') ? '' : '/'}${path}`
}
