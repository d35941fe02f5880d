import { svelte } from '@sveltejs/vite-plugin-svelte'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [svelte(), understudy()],
  server: { proxy: { '/api': process.env['API_ORIGIN'] ?? 'http://127.0.0.1:4999' } },
})
