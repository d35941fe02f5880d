import { realpathSync } from 'node:fs'
import { relative } from 'node:path'

import { describeLeak } from '@understudy/engine/internal/dev'

import type { Compilation, Module } from './compiler.ts'
import { isOneOf } from './module-paths.ts'
import { pluginName, type Project } from './project.ts'

const enginePackage = '@understudy/engine'
/** The engine's folder, wherever it is installed or linked. */
export const engineFolder: RegExp = /[\\/](node_modules[\\/]@understudy|packages)[\\/]engine[\\/](dist|src)[\\/]/

/**
 * Looks for handlers and for the engine in a production build without mocks. Only code in a chunk counts: code that the
 * compiler drops (types, a branch behind `process.env.NODE_ENV`, unused exports) is not a leak.
 */
export function checkLeaks(project: Project): void {
  const { compiler, options } = project
  if (compiler.options.mode === 'development') return
  // Child compilers, which compile workers, worklets and service workers, inherit this hook.
  compiler.hooks.compilation.tap(pluginName, (compilation) => {
    compilation.hooks.afterOptimizeModules.tap(pluginName, () => {
      const chain = findLeak(compilation, findHandlersPaths(project))
      if (!chain) return
      const { message } = describeLeak(nameModules(chain, compiler.context))
      // Not every compiler forwards the errors of its children.
      const { warnings, errors } = rootOf(compilation)
      const problems = options.leaks === 'warn' ? warnings : errors
      problems.push(new compiler.webpack.WebpackError(`[understudy] ${message}`))
    })
  })
}

function rootOf(compilation: Compilation): Compilation {
  const { parentCompilation } = compilation.compiler
  return parentCompilation ? rootOf(parentCompilation) : compilation
}

/** Finds the shortest chain of imports from an entry to a leaked module. */
function findLeak(compilation: Compilation, handlers: readonly string[]): Module[] | undefined {
  const { chunkGraph, moduleGraph } = compilation
  const importers = new Map<Module, Module | undefined>()
  for (const { dependencies } of compilation.entries.values()) {
    for (const dependency of dependencies) {
      const entry = moduleGraph.getModule(dependency as never)
      if (entry) importers.set(entry, undefined)
    }
  }
  // The list grows during the iteration.
  const queue = [...importers.keys()]
  for (const module of queue) {
    if (isLeak(module, handlers)) return follow(module, importers)
    for (const { module: imported } of moduleGraph.getOutgoingConnections(module as never)) {
      if (
        !imported ||
        importers.has(imported) ||
        [...chunkGraph.getModuleChunksIterable(imported as never)].length === 0
      )
        continue
      importers.set(imported, module)
      queue.push(imported)
    }
  }
  return undefined
}

function isLeak({ resource }: Module, handlers: readonly string[]): boolean {
  return resource !== undefined && (isOneOf(resource, handlers) || engineFolder.test(resource))
}

function follow(leaked: Module, importers: ReadonlyMap<Module, Module | undefined>): Module[] {
  const chain: Module[] = []
  for (let module: Module | undefined = leaked; module; module = importers.get(module)) chain.unshift(module)
  return chain
}

/**
 * Returns the possible paths of the handlers module, because the root may be a symbolic link. Empty if there is no such
 * module.
 */
export function findHandlersPaths(project: Project): string[] {
  try {
    const { path } = project.findHandlers()
    return [path, realpathSync(path)]
  } catch {
    return []
  }
}

/** Returns the names of modules for messages: relative to the root, and the engine by its package. */
function nameModules(chain: readonly Module[], root: string): string[] {
  const names = chain.map(({ resource = '' }) =>
    engineFolder.test(resource) ? enginePackage : relative(root, resource.replace(/\?.*$/, '')).replaceAll('\\', '/'),
  )
  return names.filter((name, i) => name !== '' && name !== names[i - 1])
}
