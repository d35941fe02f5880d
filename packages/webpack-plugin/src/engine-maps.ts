import type { Module } from './compiler.ts'
import { engineFolder } from './leak-check.ts'
import { pluginName, type Project } from './project.ts'

/** Runs after the compiler's own plugins, which request source maps for all modules. */
const stage = 1000

/**
 * Leaves the engine out of source maps. With `devtool: 'eval-source-map'`, the output contains the map and the text of
 * each module, and webpack goes through all of it at each rebuild.
 */
export function omitEngineMaps({ compiler }: Project): void {
  // Rspack's modules cannot be changed. A build keeps complete maps.
  if (compiler.rspack || compiler.options.mode !== 'development') return
  compiler.hooks.compilation.tap(pluginName, ({ hooks }) => {
    hooks.buildModule.tap({ name: pluginName, stage }, omitMap)
  })
}

function omitMap(module: Module): void {
  if (module.resource === undefined || !engineFolder.test(module.resource)) return
  module.useSourceMap = false
  module.useSimpleSourceMap = false
}
