import understudy from '@understudy/vite-plugin'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [vue(), understudy()],
  server: { proxy: { '/api': process.env['API_ORIGIN'] ?? 'http://127.0.0.1:4999' } },
})
