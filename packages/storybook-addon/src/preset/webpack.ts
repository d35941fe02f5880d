import { fileURLToPath } from 'node:url'

import { createWebpackBuiltPlaces } from './places/webpack-built-places.ts'
import { createHandlersSearch, declareOptions, listProjectPaths, type PresetOptions } from './project-handlers.ts'
import type { LoaderOptions } from './webpack-loader.ts'

/** The parts of webpack's configuration that the addon uses. */
export interface WebpackConfig {
  devtool?: string | false
  mode?: string
  module?: { rules?: unknown[] }
  plugins?: unknown[]
}

/** The plugin of `@ngtools/webpack`, which compiles TypeScript in Storybook for Angular. */
interface AngularPlugin {
  readonly options: { readonly compilerOptions?: { sourceMap?: boolean } }
}

/** Adds the project's handlers to the preview with a loader that replaces empty modules. */
export function webpackFinal(config: WebpackConfig, options: PresetOptions): WebpackConfig {
  const search = createHandlersSearch(options)
  // The cache of webpack may have the modules of the previous run. The loader would not find the file first.
  search()
  const loaderOptions: LoaderOptions = {
    declareOptions: declareOptions(options),
    paths: listProjectPaths(options),
    search,
  }
  const rule = {
    test: /[\\/]storybook-addon[\\/](?:dist|src)[\\/](?:preview[\\/]project-handlers\.[jt]s|preset[\\/]webpack-connector\.cjs)$/,
    enforce: 'post',
    loader: fileURLToPath(new URL('./webpack-loader.js', import.meta.url)),
    options: loaderOptions,
  }
  mapAngularSources(config)
  const extended = { ...config, module: { ...config.module, rules: [...(config.module?.rules ?? []), rule] } }
  if (config.mode !== 'production') return extended
  return {
    ...extended,
    devtool: config.devtool || 'hidden-source-map',
    plugins: [...(config.plugins ?? []), createWebpackBuiltPlaces(Boolean(config.devtool))],
  }
}

/**
 * Lets Angular's compiler write source maps. Storybook for Angular turns them off, so the panel would show lines of compiled
 * files.
 */
function mapAngularSources({ plugins = [] }: WebpackConfig): void {
  const isAngular = (plugin: unknown): plugin is AngularPlugin =>
    (plugin as object | null)?.constructor?.name === 'AngularWebpackPlugin'
  for (const { options } of plugins.filter(isAngular)) {
    if (options.compilerOptions) options.compilerOptions.sourceMap = true
  }
}
