import { federation } from '@module-federation/vite'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  // Each dev server has its own dependencies: both would write to the folder of the package.
  cacheDir: '.vite',
  plugins: [
    federation({
      name: 'remote',
      filename: 'remoteEntry.js',
      exposes: {
        './widget': './src/widget.js',
        './handlers': './src/mocks/handlers.js',
        './engine': './src/start-engine.js',
      },
      dts: false,
    }),
    understudy(),
  ],
  server: {
    origin: process.env.REMOTE_ORIGIN,
    cors: true,
    proxy: { '/api': process.env.API_ORIGIN ?? 'http://127.0.0.1:4999' },
  },
})
