const { join } = require('node:path')

const HtmlWebpackPlugin = require('html-webpack-plugin')

module.exports = {
  mode: 'development',
  context: __dirname,
  entry: './src/main.tsx',
  output: { path: join(__dirname, 'dist'), clean: true },
  devtool: false,
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      {
        test: /\.tsx?$/,
        exclude: /node_modules/,
        use: { loader: 'babel-loader', options: { configFile: require.resolve('../babel.config.cjs') } },
      },
    ],
  },
  plugins: [new HtmlWebpackPlugin({ title: 'Garden' })],
}
