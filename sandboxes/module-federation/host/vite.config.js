import { federation } from '@module-federation/vite'
import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  // Each dev server has its own dependencies: both would write to the folder of the package.
  cacheDir: '.vite',
  plugins: [
    federation({
      name: 'host',
      remotes: { remote: { type: 'module', name: 'remote', entry: `${process.env.REMOTE_ORIGIN}/remoteEntry.js` } },
      dts: false,
    }),
    understudy(),
  ],
  server: { proxy: { '/api': process.env.API_ORIGIN ?? 'http://127.0.0.1:4999' } },
})
