import { defineConfig } from '@rsbuild/core'
import { pluginReact } from '@rsbuild/plugin-react'
import { pluginUnderstudy } from '@understudy/webpack-plugin/rsbuild'

export default defineConfig({
  plugins: [pluginReact(), pluginUnderstudy()],
  html: { title: 'The ferries' },
  source: { entry: { index: './src/main.tsx' } },
  server: { proxy: { '/api': process.env['API_ORIGIN'] ?? 'http://127.0.0.1:4999' } },
})
