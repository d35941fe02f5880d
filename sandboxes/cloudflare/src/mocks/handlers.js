import { http, HttpResponse } from '@understudy/engine'

export const handlers = [http.get('/api/title', () => HttpResponse.json({ text: 'the mock' }))]

// In the dev server's process: it passes requests on to the runtime of the Cloudflare worker.
if (typeof document === 'undefined') {
  handlers.push(http.get('*', () => HttpResponse.json({ text: 'a mocked request of the dev server' })))
}
