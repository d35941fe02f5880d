import { testFramework } from '../../../test/acceptance/framework.ts'

testFramework({
  sandbox: 'nuxt',
  cli: 'nuxt/bin/nuxt.mjs',
  dev: (port) => ['dev', '--host', '127.0.0.1', '--port', String(port)],
  ready: /Local:\s+http/,
  handlersFile: 'app/mocks/handlers.ts',
  config: 'nuxt.config.ts',
  panel: '/_nuxt/__understudy/',
  build: ['build'],
  output: '.output',
})
