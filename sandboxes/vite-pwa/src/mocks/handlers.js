import { http, HttpResponse } from '@understudy/engine'

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"></svg>'

export const handlers = [
  http.get('/api/user', () => HttpResponse.json({ from: 'the mock' })),
  http.get('/api/image', () => new HttpResponse(image, { headers: { 'Content-Type': 'image/svg+xml' } })),
]
