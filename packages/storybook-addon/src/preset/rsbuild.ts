import { listProjectPaths, type PresetOptions } from './project-handlers.ts'
import { webpackFinal, type WebpackConfig } from './webpack.ts'

/** The parts of Rsbuild's configuration that the addon uses. */
interface RsbuildConfig {
  readonly tools?: { readonly rspack?: unknown }
}

/** The parts of Rspack's configuration that differ from webpack's. */
interface RspackConfig extends WebpackConfig {
  lazyCompilation?: boolean | { test?: RegExp | ((module: LazyModule) => boolean) }
}

interface LazyModule {
  nameForCondition(): string | null | undefined
}

/** Adds the project's handlers to the preview that `storybook-builder-rsbuild` builds. Rspack takes webpack's rules and plugins. */
export function rsbuildFinal(config: RsbuildConfig, options: PresetOptions): RsbuildConfig {
  const { rspack } = config.tools ?? {}
  const addMocking = (given: RspackConfig): RspackConfig =>
    compileMockingEagerly(webpackFinal(withoutCheapMaps(given), options), new Set(listProjectPaths(options)))
  // The last function gets the mode and the source maps that the others set.
  return { ...config, tools: { ...config.tools, rspack: [...[rspack ?? []].flat(), addMocking] } }
}

/** A minified build loses the source maps that name only lines, which the builder asks for. The panel needs whole ones. */
function withoutCheapMaps(config: RspackConfig): RspackConfig {
  const isLost = config.mode === 'production' && String(config.devtool).includes('cheap')
  return isLost ? { ...config, devtool: false } : config
}

/** The addon, the engine, and modules that the engine imports dynamically. */
const ofMocking =
  /[\\/](?:storybook-addon|engine|panel)[\\/](?:dist|src)[\\/]|[\\/]node_modules[\\/](?:@mswjs[\\/]interceptors|graphql)[\\/]/

/**
 * Excludes mocking from lazy compilation, which the builder switches on. Otherwise, a request would wait for a part of
 * mocking that Rspack builds only then, and edits of the handlers would not arrive.
 */
function compileMockingEagerly(config: RspackConfig, handlers: ReadonlySet<string>): RspackConfig {
  const { lazyCompilation } = config
  if (!lazyCompilation) return config
  const given = lazyCompilation === true ? {} : lazyCompilation
  const { test } = given
  const isLazy = (module: LazyModule): boolean => {
    const name = module.nameForCondition() ?? ''
    if (handlers.has(name) || ofMocking.test(name)) return false
    return typeof test === 'function' ? test(module) : !test || test.test(name)
  }
  return { ...config, lazyCompilation: { ...given, test: isLazy } }
}
