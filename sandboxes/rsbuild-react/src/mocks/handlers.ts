import { http, HttpResponse } from '@understudy/engine'

import departures from './departures.json'

export const handlers = [
  http.get('/api/departures', () => HttpResponse.json(departures)),
  http.post<never, { id: string }>('/api/bookings', async ({ request }) => {
    const { id } = await request.json()
    return id === 'night'
      ? HttpResponse.json({ text: 'The night ferry is full.' }, { status: 409 })
      : HttpResponse.json({ text: 'A cabin is yours.' }, { status: 201 })
  }),
]
