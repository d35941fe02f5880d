import { testFramework } from '../../../test/acceptance/framework.ts'

testFramework({
  sandbox: 'sveltekit',
  cli: 'vite/bin/vite.js',
  dev: (port) => ['--host', '127.0.0.1', '--port', String(port), '--strictPort'],
  ready: /Local:\s+http/,
  handlersFile: 'src/mocks/handlers.ts',
  config: 'vite.config.ts',
  build: ['build'],
  output: 'build',
  hasLink: true,
})
