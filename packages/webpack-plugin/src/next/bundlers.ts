import { isOlder } from './is-older.ts'

/** The parts of Next's configuration by which its bundlers are extended. */
export interface BundlerParts {
  readonly turbopack?: TurbopackParts | undefined
  /** Next before 15.3 has the settings of Turbopack here. */
  readonly experimental?: { readonly turbo?: TurbopackParts | undefined } | undefined
  readonly webpack?: ((config: WebpackConfig, context: never) => WebpackConfig) | null | undefined
}

interface TurbopackParts {
  readonly rules?: object
}

export interface WebpackConfig {
  plugins?: unknown[]
  ignoreWarnings?: unknown[]
  module?: { rules?: unknown[] }
}

/** Whether Next bundles by Turbopack. Then it refuses a configuration with a function `webpack`. */
export function usesTurbopack(): boolean {
  return Boolean(process.env['TURBOPACK'])
}

/**
 * Adds a rule to the configuration of Turbopack.
 *
 * @param root the folder of the app
 * @param globs the files to which the rule applies
 */
export function addTurbopackRules<Config extends BundlerParts>(
  config: Config,
  root: string,
  globs: readonly string[],
  rule: object,
): Config {
  const extend = (settings: TurbopackParts | undefined): TurbopackParts => ({
    ...settings,
    rules: { ...settings?.rules, ...Object.fromEntries(globs.map((glob) => [glob, rule])) },
  })
  const { turbopack, experimental } = config
  if (!isOlder(root, '15.3')) return { ...config, turbopack: extend(turbopack) }
  return { ...config, experimental: { ...experimental, turbo: extend(experimental?.turbo) } }
}

/** Changes the configuration of webpack after the app's own function has. */
export function extendWebpack<Config extends BundlerParts>(
  config: Config,
  change: (webpack: WebpackConfig) => void,
): Config {
  const webpack = (given: WebpackConfig, context: never): WebpackConfig => {
    const changed = config.webpack?.(given, context) ?? given
    change(changed)
    return changed
  }
  return { ...config, webpack }
}
