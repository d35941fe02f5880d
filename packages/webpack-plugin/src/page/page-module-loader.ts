import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { failure, findHandlers, listHandlersPaths, type ResolvedOptions } from '@understudy/engine/internal/dev'

import type { Tool } from '../project.ts'
import {
  createBootstrap,
  createBrokenBootstrap,
  createHandlersModule,
  createPanelModule,
  createStartModule,
} from './page-modules.ts'

/** The modules that the plugin adds to pages, by their placeholder files. */
const pageModules = {
  start: './start.cjs',
  bootstrap: './bootstrap.js',
  handlers: './handlers.cjs',
  panel: './panel.cjs',
} as const

/** The settings of the loader. */
export interface PageSettings {
  /** The project's root, absolute. */
  root: string
  /** The compiler's name among those of a page. */
  app: string
  options: ResolvedOptions
  /** Whether panels can see the page. */
  isShared: boolean
  /** The error of invalid options. */
  optionsError: string | undefined
  /** See `PageState.neverHeld` of the engine. */
  neverHeld: readonly string[]
  /** The paths that the dev server forwards to another server: see `AppPages` of the engine. */
  forwarded: readonly string[]
  /** The URLs at which pages of the project's framework request their data: see `AppPages` of the engine. */
  toolFiles: string | undefined
  /** How to report an error to the tool's overlay. */
  overlay: Tool['overlay']
  /** Whether the page has a panel only if the module `panel` runs. */
  linksPanelLater: boolean
}

interface LoaderContext {
  readonly query: unknown
  addDependency(file: string): void
  addMissingDependency(file: string): void
}

/**
 * The settings of this process's compilers. They are on the global object, because the compiler may load this file
 * again.
 */
const known = ((globalThis as Record<symbol, unknown>)[Symbol.for('understudy:page-settings')] ??= new Map()) as Map<
  string,
  PageSettings
>

/** Returns a key of settings for the request of a module, with which caches distinguish modules. */
export function remember(settings: PageSettings): string {
  const key = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8)
  known.set(key, settings)
  return key
}

/** Returns the request for a page's module, which uses only this loader, whatever rules the app has. */
export function createRequest(module: keyof typeof pageModules, key: string): string {
  const loader = fileURLToPath(import.meta.url)
  const resource = fileURLToPath(new URL(pageModules[module], import.meta.url))
  return `!!${loader}?${module},${key}!${resource}`
}

/** Returns the code of a page's module. */
export default function pageModuleLoader(this: LoaderContext): string {
  const [module = '', key = ''] = String(this.query).slice(1).split(',')
  const settings = known.get(key)
  if (!settings) {
    throw failure(
      'US0805',
      'write a page module',
      'another process has its settings',
      'Do not run the loaders of this plugin in worker threads (thread-loader).',
    )
  }
  const { root, app, options, isShared, optionsError, neverHeld, forwarded, toolFiles, overlay, linksPanelLater } =
    settings
  if (module === 'panel') return createPanelModule()
  if (module === 'start') return createStartModule(neverHeld, app, createRequest('bootstrap', key))
  const engine = resolveEngine(root)
  const pages = { base: '/', forwarded, ...(toolFiles && { toolFiles }) }
  const page = {
    options,
    isShared,
    overlay,
    linksPanelLater,
    pages,
    engine: engine('internal/page'),
    sharing: engine('internal/share'),
    exposing: engine('internal/expose'),
  }
  if (optionsError !== undefined) return createBrokenBootstrap(page, optionsError)
  for (const path of listHandlersPaths(root, options.handlers)) this.addMissingDependency(path)
  try {
    const file = findHandlers(root, options.handlers)
    this.addDependency(file.path)
    return module === 'handlers'
      ? createHandlersModule(file)
      : createBootstrap(page, file, createRequest('handlers', key))
  } catch (error) {
    return createBrokenBootstrap(page, (error as Error).message)
  }
}

/**
 * Resolves entries of the engine from the app's handlers, because another copy of the engine would have no handlers.
 */
function resolveEngine(root: string): (entry: `internal/${'expose' | 'page' | 'share'}`) => string {
  const { resolve } = createRequire(join(root, 'package.json'))
  return (entry) => {
    try {
      return resolve(`@understudy/engine/${entry}`)
    } catch {
      return createRequire(import.meta.url).resolve(`@understudy/engine/${entry}`)
    }
  }
}
