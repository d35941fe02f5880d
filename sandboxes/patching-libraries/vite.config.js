import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [understudy()],
  // Vite would reload the page of a test if it found a dependency later.
  optimizeDeps: {
    entries: ['index.html', 'src/*.js', 'src/libraries/*.js'],
    include: ['@understudy/engine', '@understudy/engine/browser'],
  },
  server: { proxy: { '/api': process.env.API_ORIGIN ?? 'http://127.0.0.1:4999' } },
})
