import { testFramework } from '../../../test/acceptance/framework.ts'

testFramework({
  sandbox: 'astro',
  cli: 'astro/bin/astro.mjs',
  dev: (port) => ['dev', '--host', '127.0.0.1', '--port', String(port)],
  ready: /Local\s+http/,
  handlersFile: 'src/mocks/handlers.ts',
  config: 'astro.config.ts',
  build: ['build'],
  output: 'dist',
})
