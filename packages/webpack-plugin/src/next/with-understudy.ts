import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readOptions, type PluginOptions, type ResolvedOptions } from '@understudy/engine/internal/dev'

import type { Compiler } from '../compiler.ts'
import { ignoreMissingGraphQL } from '../missing-graphql.ts'
import { startWebWorkers } from '../page/web-workers.ts'
import { extendWebpack, usesTurbopack, type WebpackConfig } from './bundlers.ts'
import { addFirstModule, type FirstModuleParts } from './first-module.ts'
import { isOlder } from './is-older.ts'
import { failOnLeaks } from './leaks.ts'
import { NextMocking } from './next-mocking.ts'
import { writePageModules } from './page-files.ts'

/** The parts of Next's configuration that this function reads or adds to. */
interface NextParts {
  readonly basePath?: string | undefined
  readonly assetPrefix?: string | undefined
  readonly distDir?: string | undefined
  readonly allowedDevOrigins?: readonly string[] | undefined
}

type NextContext = { readonly defaultConfig: object }

/** A configuration of Next: an object, or a function that returns one. */
type ConfigInput<Config> = Config | ((phase: string, context: NextContext) => Config | Promise<Config>)

const call = 'withUnderstudy()'

/**
 * Mocks the requests that a Next.js app makes in `next dev`, in pages and on the server. Builds contain no mocks.
 *
 * @param config the configuration of Next, or a function that returns it
 * @param options see {@link PluginOptions}
 * @returns a configuration for Next's configuration file to export
 * @throws {UnderstudyError} when Next reads the configuration, if options are invalid or `enabled` is `true` in a build
 *
 * @example
 * // next.config.ts; the handlers are found in src/mocks/handlers.ts
 * export default withUnderstudy({ reactStrictMode: true })
 */
export function withUnderstudy<Config extends object>(
  config: ConfigInput<Config> = {} as Config,
  options: PluginOptions = {},
): (phase: string, context: NextContext) => Promise<Config> {
  const root = findRoot()
  return async (phase, context) => {
    if (isOlder(root, '15.0')) {
      throw new Error(
        'Failed to configure Understudy: this version of Next.js is older than 15, and its pages cannot be mocked by withUnderstudy(). ' +
          'Update Next.js, or start mocking in the app with setupWorker() and setupServer(). (US0869)',
      )
    }
    const own = typeof config === 'function' ? await config(phase, context) : config
    const resolved = readOptions(options, call)
    // `PHASE_DEVELOPMENT_SERVER` of next/constants.
    const isDev = phase === 'phase-development-server'
    if (!isDev && resolved.enabled) {
      throw new Error(
        'Failed to configure Understudy: a Next.js build cannot contain mocks. Remove the option "enabled". (US0866)',
      )
    }
    if (isDev) return addMocks(own, resolved, root)
    // `PHASE_PRODUCTION_BUILD`
    return phase === 'phase-production-build' ? failOnLeaks(own, resolved, root) : own
  }
}

async function addMocks<Config extends NextParts & FirstModuleParts>(
  config: Config,
  options: ResolvedOptions,
  root: string,
): Promise<Config> {
  const { basePath = '', assetPrefix = basePath, allowedDevOrigins = [] } = config
  const isOn = options.enabled ?? true
  const mocking = NextMocking.of(root, {
    options,
    basePath,
    trustedHosts: allowedDevOrigins,
    distDir: config.distDir ?? '.next',
  })
  mocking.serve()
  if (!isOn) return config
  await mocking.start()
  const changed = addFirstModule(config, root, writePageModules(root, { options, basePath, assetPrefix }))
  return usesTurbopack() ? changed : extendWebpack(changed, mockPages)
}

function mockPages(webpack: WebpackConfig): void {
  ignoreMissingGraphQL(webpack)
  webpack.plugins = [...(webpack.plugins ?? []), { apply: mockWebWorkers }]
}

function mockWebWorkers(compiler: Compiler): void {
  // Run after defaults were applied.
  compiler.hooks.environment.tap('@understudy/webpack-plugin', () => {
    if (compiler.platform.web) startWebWorkers(compiler)
  })
}

/**
 * Returns the folder of the configuration file that is running. `next dev app` reads a configuration outside the working
 * directory, and Next does not pass its path.
 */
export function findRoot(stack: string = new Error('stack').stack ?? ''): string {
  for (const line of stack.split('\n')) {
    const [file] = /(?:file:\/\/)?(?:\/|[A-Z]:[\\/]).*?[\\/]next\.config\.[\w.]*[cm]?[jt]s/i.exec(line) ?? []
    if (file !== undefined) return dirname(file.startsWith('file:') ? fileURLToPath(file) : file)
  }
  return process.cwd()
}
