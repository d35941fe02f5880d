/** Compiles the app with SWC instead of Babel: `webpack serve --config webpack.swc.config.js`. */
import createConfig from './webpack.config.js'

export default (env, args) => {
  const config = createConfig(env, args)
  const [, styles] = config.module.rules
  const isDevelopment = args.mode === 'development'
  const react = { runtime: 'automatic', development: isDevelopment, refresh: isDevelopment }
  const options = { jsc: { parser: { syntax: 'typescript', tsx: true }, target: 'es2022', transform: { react } } }
  const scripts = { test: /\.tsx?$/, exclude: /node_modules/, loader: 'swc-loader', options }
  return { ...config, module: { rules: [scripts, styles] } }
}
