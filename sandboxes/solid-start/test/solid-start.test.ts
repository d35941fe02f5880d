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
  // An import of SolidStart 2.0.5's own overlay fails, also without the plugin.
  isUsual: (line) => line.includes('resolve-uri.umd.js'),
})
