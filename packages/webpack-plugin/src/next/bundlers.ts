/** The parts of Next's configuration by which its bundlers are extended. */
export interface BundlerParts {
  readonly turbopack?: { readonly rules?: object } | undefined
  readonly webpack?: ((config: WebpackConfig, context: never) => WebpackConfig) | null | undefined
}

export interface WebpackConfig {
  plugins?: unknown[]
  ignoreWarnings?: unknown[]
}

/** Whether Next bundles by Turbopack. Then it refuses a configuration with a function `webpack`. */
export function usesTurbopack(): boolean {
  return Boolean(process.env['TURBOPACK'])
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
