import { fileURLToPath } from 'node:url'

import { declareOptions, findProjectHandlers, type PresetOptions } from './project-handlers.ts'

/** What the addon uses of webpack. */
interface WebpackConfig {
  module?: { rules?: unknown[] }
}

/** Adds the project's handlers to the preview, with a loader that replaces an empty module. */
export function webpackFinal(config: WebpackConfig, options: PresetOptions): WebpackConfig {
  const rule = {
    test: /[\\/]storybook-addon[\\/](?:dist|src)[\\/]preview[\\/]project-handlers\.[jt]s$/,
    enforce: 'post',
    loader: fileURLToPath(new URL('./webpack-loader.js', import.meta.url)),
    options: { declareOptions: declareOptions(options), file: findProjectHandlers(options) },
  }
  return { ...config, module: { ...config.module, rules: [...(config.module?.rules ?? []), rule] } }
}
