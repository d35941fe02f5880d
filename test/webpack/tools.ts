import type { BuildTool } from '../acceptance/build-tool.ts'
import type { Kind } from './kinds/open-app.ts'
import { createWebpack, type Bundler } from './webpack.ts'

const html = `import HtmlPlugin from 'html-webpack-plugin'
import MinimizerPlugin from 'minimizer-webpack-plugin'`

const devServer6: Bundler = {
  name: 'webpack 5 with webpack-dev-server 6',
  cli: 'node_modules/webpack-cli/bin/cli.js',
  html,
  // Its own minimizer is slow.
  optimization: '{ minimizer: [new MinimizerPlugin({ minify: MinimizerPlugin.esbuildMinify })] }',
}

/** These dev servers refuse a socket of a page with another host name than their own. */
const devServer = { client: { webSocketURL: 'auto://0.0.0.0:0/ws' } }

/** Without this variable, webpack-cli delegates to the version that the project installs as `webpack-cli`. */
const cli6 = {
  cli: 'node_modules/webpack-cli-6/bin/cli.js',
  env: { WEBPACK_CLI_SKIP_IMPORT_LOCAL: 'true' },
}
const server5 = { WEBPACK_DEV_SERVER_PACKAGE: 'webpack-dev-server-5' }

const devServer5: Bundler = {
  ...devServer6,
  name: 'webpack 5 with webpack-dev-server 5 and webpack-cli 6',
  cli: cli6.cli,
  env: { ...cli6.env, ...server5 },
  devServer,
}

const rspack2: Bundler = {
  name: 'Rspack 2',
  cli: 'node_modules/@rspack/cli/bin/rspack.js',
  devServer,
  html: `import { rspack } from '@rspack/core'\nconst HtmlPlugin = rspack.HtmlRspackPlugin`,
  // It compiles dynamic imports on demand, and a hot update adds them. With several runtimes, one applies the update of another.
  optimization: "{ runtimeChunk: 'single' }",
}

export const webpack: BuildTool = createWebpack(devServer6)
export const webpackDevServer5: BuildTool = createWebpack(devServer5)
export const rspack: BuildTool = createWebpack(rspack2)

/** Command lines with a dev server of another major version. */
export const mixedVersions: BuildTool[] = [
  createWebpack({ ...devServer5, name: 'webpack-cli 7 with webpack-dev-server 5', cli: devServer6.cli, env: server5 }),
  createWebpack({ ...devServer6, ...cli6, name: 'webpack-cli 6 with webpack-dev-server 6' }),
]

const webpackImports = (server: string): string => `import UnderstudyWebpackPlugin from '@understudy/webpack-plugin'
import HtmlPlugin from 'html-webpack-plugin'
import webpack from 'webpack'
import WebpackDevServer from '${server}'
const { ModuleFederationPlugin } = webpack.container`

const webpackKind = {
  lazy: 'options.experiments.lazyCompilation = true',
  cache: 'filesystem',
  start: `const compiler = webpack(config)
// Do not pass the object of the configuration: the plugin changes the options of the compiler.
await new WebpackDevServer(compiler.options.devServer, compiler).start()
`,
}

export const webpackKinds: Kind = {
  ...devServer6,
  ...webpackKind,
  imports: webpackImports('webpack-dev-server'),
  takesOwnOptions: true,
}
export const webpackDevServer5Kinds: Kind = {
  ...devServer5,
  ...webpackKind,
  imports: webpackImports('webpack-dev-server-5'),
}
export const rspackKinds: Kind = {
  ...rspack2,
  imports: `import UnderstudyWebpackPlugin from '@understudy/webpack-plugin'
import { rspack } from '@rspack/core'
import { RspackDevServer } from '@rspack/dev-server'
const HtmlPlugin = rspack.HtmlRspackPlugin
const ModuleFederationPlugin = rspack.container.ModuleFederationPluginV1`,
  lazy: 'options.lazyCompilation = true',
  cache: 'persistent',
  start: `const compiler = rspack(config)
// Do not pass the object of the configuration: the plugin changes the options of the compiler.
await new RspackDevServer(compiler.options.devServer, compiler).start()
`,
}
