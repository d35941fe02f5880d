import { testFramework } from '../../../test/acceptance/framework.ts'

testFramework({
  sandbox: 'react-router',
  cli: '@react-router/dev/bin.cjs',
  dev: (port) => ['dev', '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
  ready: /Local:\s+http/,
  handlersFile: 'src/mocks/handlers.ts',
  config: 'vite.config.ts',
  build: ['build'],
  output: 'build',
  hasLink: true,
})
