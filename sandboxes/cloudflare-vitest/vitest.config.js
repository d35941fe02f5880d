import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { getResponse } from '@understudy/engine'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vitest/config'

import { handlers } from './src/mocks/handlers.js'

/** A Worker outside the tests. The handlers answer its requests, because Miniflare asks them. */
const stock = {
  name: 'stock',
  modules: true,
  compatibilityDate: '2026-10-01',
  script: `export default { fetch: () => fetch('https://api.example/price') }`,
  outboundService: async (request) => (await getResponse(handlers, request)) ?? new Response('network'),
}

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.json' },
      // What would reach the network reaches this function.
      miniflare: {
        outboundService: (request) => new Response(`network: ${request.url}`),
        serviceBindings: { STOCK: 'stock' },
        workers: [stock],
      },
    }),
    // The tests in `by-hand` start a server themselves.
    understudy({ vitest: process.env.BY_HAND ? false : { onUnhandledRequest: 'error' } }),
  ],
  test: { include: [process.env.BY_HAND ? 'by-hand/*.spec.js' : 'specs/*.spec.js'] },
})
