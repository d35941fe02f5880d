import { testFramework } from '../../../test/acceptance/framework.ts'

testFramework({
  sandbox: 'solid-start',
  cli: 'vite/bin/vite.js',
  dev: (port) => ['dev', '--host', 'localhost', '--port', String(port), '--strictPort'],
  ready: /Local:\s+http/,
  handlersFile: 'src/mocks/handlers.ts',
  config: 'vite.config.ts',
  build: ['build'],
  output: 'dist',
  // SolidStart 2.0.5 loads its overlay so without the plugin, too.
  isUsual: (line) => line.includes('resolve-uri.umd.js'),
})
