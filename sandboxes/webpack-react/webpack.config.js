import ReactRefreshPlugin from '@pmmmwh/react-refresh-webpack-plugin'
import { UnderstudyWebpackPlugin } from '@understudy/webpack-plugin'
import HtmlPlugin from 'html-webpack-plugin'

export default (_env, { mode }) => ({
  entry: './src/main.tsx',
  output: { filename: '[name].[contenthash].js', clean: true, publicPath: '/' },
  resolve: { extensions: ['.tsx', '.ts', '...'] },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        exclude: /node_modules/,
        loader: 'babel-loader',
        options: {
          presets: ['@babel/preset-typescript', ['@babel/preset-react', { runtime: 'automatic' }]],
          plugins: mode === 'development' ? ['react-refresh/babel'] : [],
        },
      },
      { test: /\.css$/, use: ['style-loader', 'css-loader'] },
    ],
  },
  plugins: [
    new HtmlPlugin({ template: './src/index.html' }),
    mode === 'development' && new ReactRefreshPlugin(),
    new UnderstudyWebpackPlugin(),
  ],
  devServer: {
    historyApiFallback: true,
    proxy: [{ context: ['/api'], target: process.env.API_ORIGIN ?? 'http://127.0.0.1:4999' }],
  },
})
