import understudy from '@understudy/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [understudy()],
  // Without this option, users have to enter a code from the terminal in the browser.
  devtools: { clientAuth: false, apply: 'serve' },
})
