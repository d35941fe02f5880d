import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { failure, findHandlers, listHandlersPaths, type ResolvedOptions } from '@understudy/engine/internal/dev'

import type { Tool } from '../project.ts'
import { createBootstrap, createBrokenBootstrap, createHandlersModule, createStartModule } from './page-modules.ts'

/** The modules that the plugin brings into pages, by the files that stand for them. */
const pageModules = {
  start: './start.cjs',
  bootstrap: './bootstrap.js',
  handlers: './handlers.cjs',
} as const

/** What the loader is told. */
export interface PageSettings {
  /** The project's root, absolute. */
  root: string
  /** The compiler's name among those of a page. */
  app: string
  options: ResolvedOptions
  /** Whether panels can see the page. */
  isShared: boolean
  /** What is wrong with the options. */
  optionsError: string | undefined
  /** See `PageState.neverHeld` of the engine. */
  neverHeld: readonly string[]
  /** Paths that the dev server forwards to another server: see `AppPages` of the engine. */
  forwarded: readonly string[]
  /** How to report an error to the tool's overlay. */
  overlay: Tool['overlay']
}

interface LoaderContext {
  readonly query: unknown
  addDependency(file: string): void
  addMissingDependency(file: string): void
}

/**
 * The settings of this process's compilers. On the global object, because the compiler may load this file once more,
 * in its own way.
 */
const known = ((globalThis as Record<symbol, unknown>)[Symbol.for('understudy:page-settings')] ??= new Map()) as Map<
  string,
  PageSettings
>

/** Names settings within a request: caches tell modules apart by that. */
export function remember(settings: PageSettings): string {
  const key = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8)
  known.set(key, settings)
  return key
}

/** The request for a page's module: this loader and no other, whatever rules the app has. */
export function createRequest(module: keyof typeof pageModules, key: string): string {
  const loader = fileURLToPath(import.meta.url)
  const resource = fileURLToPath(new URL(pageModules[module], import.meta.url))
  return `!!${loader}?${module},${key}!${resource}`
}

/** Writes a page's module. */
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
  const { root, app, options, isShared, optionsError, neverHeld, forwarded, overlay } = settings
  if (module === 'start') return createStartModule(neverHeld, app, createRequest('bootstrap', key))
  const engine = resolveEngine(root)
  const pages = { base: '/', forwarded }
  const page = {
    options,
    isShared,
    overlay,
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

/** The entries of the engine that the app's handlers import: another copy of it would know nothing of them. */
function resolveEngine(root: string): (entry: `internal/${'expose' | 'page' | 'share'}`) => string {
  const { resolve } = createRequire(join(root, 'package.json'))
  return (entry) => {
    try {
      return resolve(`@understudy/engine/${entry}`)
    } catch {
      return fileURLToPath(import.meta.resolve(`@understudy/engine/${entry}`))
    }
  }
}
