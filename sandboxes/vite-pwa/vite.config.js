import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

export default defineConfig({
  plugins: [
    VitePWA({
      registerType: 'autoUpdate',
      manifest: { name: 'A progressive web app' },
      devOptions: { enabled: true },
    }),
    understudy(),
  ],
  server: { proxy: { '/api': process.env.API_ORIGIN ?? 'http://127.0.0.1:4999' } },
})
