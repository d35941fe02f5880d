import { testFramework } from '../../../test/acceptance/framework.ts'

testFramework({
  sandbox: 'tanstack-start',
  cli: 'vite/bin/vite.js',
  dev: (port) => ['dev', '--host', 'localhost', '--port', String(port), '--strictPort'],
  ready: /Local:\s+http/,
  handlersFile: 'src/mocks/handlers.ts',
  config: 'vite.config.ts',
  build: ['build'],
  output: 'dist',
})
