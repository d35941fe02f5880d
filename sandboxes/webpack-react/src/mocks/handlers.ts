import { http, HttpResponse, sse } from '@understudy/engine'

import timetable from './timetable.json'

interface Booking {
  name: string
  sailing: string
}

export const handlers = [
  http.get('/api/settings', () => HttpResponse.json({ operator: 'Tern & Daughters' })),

  http.get('/api/sailings', () => HttpResponse.json(timetable)),

  http.post<never, Booking>('/api/bookings', async ({ request }) => {
    const { name, sailing } = await request.json()
    if (name === '') return HttpResponse.json({ message: 'Say whose seat it is.' }, { status: 422 })
    const found = timetable.find(({ id }) => id === sailing)
    if (!found || found.seats === 0) {
      return HttpResponse.json({ message: 'That sailing is full.' }, { status: 409 })
    }
    return HttpResponse.json({ message: `${name} sails at ${found.departs}.` }, { status: 201 })
  }),

  sse('/api/notices', ({ client }) => {
    client.send({ data: 'The noon boat waits for the post.' })
  }),
]
