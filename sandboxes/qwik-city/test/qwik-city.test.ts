import { testFramework } from '../../../test/acceptance/framework.ts'

testFramework({
  sandbox: 'qwik-city',
  cli: 'vite/bin/vite.js',
  dev: (port) => ['--mode', 'ssr', '--host', 'localhost', '--port', String(port), '--strictPort'],
  ready: /Local:\s+http/,
  handlersFile: 'src/mocks/handlers.ts',
  config: 'vite.config.ts',
  build: ['build'],
  output: 'dist',
  reloads: true,
})
