import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [understudy()],
  // Without this, a browser has to enter a code from the terminal first.
  devtools: { clientAuth: false, apply: 'serve' },
})
