import type { BuildTool } from '../acceptance/build-tool.ts'
import { createWebpack } from './webpack.ts'

const html = `import HtmlPlugin from 'html-webpack-plugin'
import MinimizerPlugin from 'minimizer-webpack-plugin'`

export const webpack: BuildTool = createWebpack({
  name: 'webpack 5 with webpack-dev-server 6',
  cli: 'node_modules/webpack-cli/bin/cli.js',
  html,
  minimizer: 'new MinimizerPlugin({ minify: MinimizerPlugin.esbuildMinify })',
})

/** These refuse a socket whose page has another name for this machine than the server. */
const devServer = { client: { webSocketURL: 'auto://0.0.0.0:0/ws' } }

export const webpackDevServer5: BuildTool = createWebpack({
  name: 'webpack 5 with webpack-dev-server 5 and webpack-cli 6',
  cli: 'node_modules/webpack-cli-6/bin/cli.js',
  env: { WEBPACK_DEV_SERVER_PACKAGE: 'webpack-dev-server-5' },
  devServer,
  html,
  minimizer: 'new MinimizerPlugin({ minify: MinimizerPlugin.esbuildMinify })',
})

export const rspack: BuildTool = createWebpack({
  name: 'Rspack 2',
  cli: 'node_modules/@rspack/cli/bin/rspack.js',
  devServer,
  html: `import { rspack } from '@rspack/core'\nconst HtmlPlugin = rspack.HtmlRspackPlugin`,
})
