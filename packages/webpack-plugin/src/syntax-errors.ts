import { stripVTControlCharacters } from 'node:util'

import type { Compilation, Module } from './compiler.ts'
import { findHandlersPaths } from './leak-check.ts'
import { isOneOf } from './module-paths.ts'
import { pluginName, type Project } from './project.ts'

/** A syntax error of TypeScript. Numbers from 2000 on are type errors, and their code runs as it is written. */
const syntaxError = /TS1\d{3}\b/

/**
 * Makes handlers with a syntax error throw, as after other loaders. TypeScript repairs such code, and ts-loader passes
 * the result on with the error. The page would run handlers that are not in the source, and requests would reach the
 * network.
 */
export function failOnSyntaxErrors(project: Project): void {
  const { compiler } = project
  // Rspack's modules cannot be changed.
  if (compiler.rspack) return
  compiler.hooks.compilation.tap(pluginName, (compilation) => {
    compilation.hooks.finishModules.tap(pluginName, () => {
      for (const module of listHandlersModules(compilation, findHandlersPaths(project))) {
        const error = Array.from(module.getErrors?.() ?? []).find(({ message }) => syntaxError.test(message))
        if (error) module.error = new compiler.webpack.WebpackError(stripVTControlCharacters(error.message))
      }
    })
  })
}

/** Returns the handlers module and all modules that it imports. */
function listHandlersModules({ modules, moduleGraph }: Compilation, handlers: readonly string[]): Set<Module> {
  const found = new Set<Module>()
  for (const module of modules)
    if (module.resource !== undefined && isOneOf(module.resource, handlers)) found.add(module)
  // The set grows during the iteration.
  for (const module of found) {
    for (const { module: imported } of moduleGraph.getOutgoingConnections(module as never)) {
      if (imported) found.add(imported)
    }
  }
  return found
}
