import { cloudflareTest } from '@cloudflare/vitest-plugin'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.json' },
      // What would reach the network reaches this function.
      miniflare: { outboundService: (request) => new Response(`network: ${request.url}`) },
    }),
    // The tests in `by-hand` start a server themselves.
    understudy({ vitest: process.env.BY_HAND ? false : { onUnhandledRequest: 'error' } }),
  ],
  test: { include: [process.env.BY_HAND ? 'by-hand/*.spec.js' : 'specs/*.spec.js'] },
})
