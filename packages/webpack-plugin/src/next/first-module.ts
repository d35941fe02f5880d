import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { addTurbopackRules, extendWebpack, usesTurbopack, type BundlerParts } from './bundlers.ts'
import { isOlder } from './is-older.ts'

/** The parts of Next's configuration by which a module is added to pages. */
export interface FirstModuleParts extends BundlerParts {
  readonly instrumentationClientInject?: readonly string[] | undefined
}

/** The first modules of a page in development, of the App Router and the Pages Router. */
const ofWebpack = /[\\/]next[\\/]dist[\\/]client[\\/](?:app-)?next-dev\.js$/
const ofTurbopack = ['app-next-turbopack', 'next-dev-turbopack'].map((name) => `**/next/dist/client/${name}.js`)

/**
 * Makes every page evaluate a module before the app's modules.
 *
 * @param root the folder of the app
 * @param file the module, relative to the root
 */
export function addFirstModule<Config extends FirstModuleParts>(config: Config, root: string, file: string): Config {
  if (!isOlder(root, '16.4')) {
    return { ...config, instrumentationClientInject: [`./${file}`, ...(config.instrumentationClientInject ?? [])] }
  }
  // Older versions have no such option. A loader adds the module to Next's own first modules.
  const loader = fileURLToPath(new URL('first-module-loader.js', import.meta.url))
  const use = { loader, options: { module: join(root, file) } }
  if (usesTurbopack()) {
    return addTurbopackRules(config, root, ofTurbopack, { loaders: [use], as: '*.js' })
  }
  return extendWebpack(config, (webpack) => {
    webpack.module?.rules?.push({ test: ofWebpack, use: [use] })
  })
}
