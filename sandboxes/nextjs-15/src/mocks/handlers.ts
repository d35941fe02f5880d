import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('*/api/title', () => HttpResponse.json({ title: 'A mocked title' })),
  http.get('*/api/seats', () => HttpResponse.json({ left: 42 })),
]
