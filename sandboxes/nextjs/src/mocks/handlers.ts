import { http, HttpResponse, ws } from '@understudy/engine'

import { title } from '@/mocks/title'

export const handlers = [
  http.get('*/api/title', () => HttpResponse.json({ title })),
  http.get('/api/seats', () => HttpResponse.json({ left: 42 })),
  http.get('*/api/quote', ({ request }) =>
    HttpResponse.json({ text: 'A mocked quote', for: new URL(request.url).searchParams.get('for') }),
  ),
  http.post('*/api/bookings', async ({ request }) => HttpResponse.json({ booked: await request.text() })),
  ws.link('wss://example.com/chat').addEventListener('connection', ({ client }) => client.send('A mocked greeting')),
]
