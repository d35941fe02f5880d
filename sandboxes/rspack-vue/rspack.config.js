import { rspack } from '@rspack/core'
import { UnderstudyWebpackPlugin } from '@understudy/webpack-plugin'
import { VueLoaderPlugin } from 'rspack-vue-loader'

export default {
  entry: './src/main.ts',
  resolve: { extensions: ['.ts', '...'] },
  module: {
    rules: [
      { test: /\.vue$/, loader: 'rspack-vue-loader', options: { experimentalInlineMatchResource: true } },
      { test: /\.ts$/, loader: 'builtin:swc-loader', options: { jsc: { parser: { syntax: 'typescript' } } } },
      { test: /\.css$/, type: 'css/auto' },
    ],
  },
  plugins: [
    new VueLoaderPlugin(),
    new rspack.HtmlRspackPlugin({ template: './src/index.html' }),
    new rspack.DefinePlugin({ __VUE_OPTIONS_API__: false, __VUE_PROD_DEVTOOLS__: false }),
    new UnderstudyWebpackPlugin(),
  ],
  devServer: {
    proxy: [{ context: ['/api'], target: process.env.API_ORIGIN ?? 'http://127.0.0.1:4999', ws: true }],
  },
}
