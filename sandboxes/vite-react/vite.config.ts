import understudy from '@understudy/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), understudy()],
  server: { proxy: { '/api': process.env.API_ORIGIN ?? 'http://127.0.0.1:4999' } },
})
