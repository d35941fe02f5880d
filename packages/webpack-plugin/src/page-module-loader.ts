import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findHandlers, listHandlersPaths, type ResolvedOptions } from '@understudy/engine/dev'

import { createBootstrap, createBrokenBootstrap, createHandlersModule, createStartModule } from './page-modules.ts'

/** The modules that the plugin brings into pages, by the files that stand for them. */
const pageModules = {
  start: './page/start.cjs',
  bootstrap: './page/bootstrap.js',
  handlers: './page/handlers.cjs',
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
  if (!settings) throw new Error('Failed to write a page module: its settings are of another process.')
  const { root, app, options, isShared, optionsError, neverHeld } = settings
  if (module === 'start') return createStartModule(neverHeld, app, createRequest('bootstrap', key))
  const engine = resolveEngine(root)
  const page = { options, isShared, engine: engine('bootstrap'), inspect: engine('inspect') }
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
function resolveEngine(root: string): (entry: string) => string {
  const { resolve } = createRequire(join(root, 'package.json'))
  return (entry) => {
    try {
      return resolve(`@understudy/engine/${entry}`)
    } catch {
      return fileURLToPath(import.meta.resolve(`@understudy/engine/${entry}`))
    }
  }
}
