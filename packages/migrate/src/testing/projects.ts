export const browser = `import { setupWorker } from 'msw/browser'
import { handlers } from './handlers'

export const worker = setupWorker(...handlers)
`

export const handlers = `import { http, HttpResponse } from 'msw'

export const handlers = [http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }))]
`

export const manifest = `{
  "name": "app",
  "devDependencies": {
    "msw": "^2.14.0",
    "vite": "^8.0.0"
  },
  "msw": {
    "workerDirectory": ["public"]
  }
}
`

export const viteConfig = `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
})
`

export const viteProject = {
  'package.json': manifest,
  'vite.config.ts': viteConfig,
  'public/mockServiceWorker.js': '/* Mock Service Worker. */',
  'src/mocks/browser.ts': browser,
  'src/mocks/handlers.ts': handlers,
}
