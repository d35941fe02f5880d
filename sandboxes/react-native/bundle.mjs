/** Bundles the app: `node bundle.mjs <output>`. */
import metroConfig from '@react-native/metro-config'
import Metro from 'metro'

const config = metroConfig.mergeConfig(metroConfig.getDefaultConfig(import.meta.dirname), {
  // The cache does not know of changes of the package that is not published yet.
  cacheStores: [],
  maxWorkers: 1,
})
await Metro.runBuild(await Metro.loadConfig({}, config), {
  entry: 'src/main.js',
  out: process.argv[2],
  platform: 'android',
  dev: false,
  minify: false,
})
