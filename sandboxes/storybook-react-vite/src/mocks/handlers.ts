import { graphql, http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/boats', () =>
    HttpResponse.json([
      { id: 'GBR-7', name: 'Petrel', length: 9, berth: 'A3' },
      { id: 'NED-12', name: 'Zeehond', length: 12, berth: 'A7' },
    ]),
  ),
  http.get('/api/session', ({ cookies }) => HttpResponse.json({ name: cookies['session'] ?? null })),
  http.post<never, { name: string }>('/api/session', async ({ request }) => {
    const { name } = await request.json()
    return new HttpResponse(null, { status: 204, headers: { 'Set-Cookie': `session=${name}; Path=/` } })
  }),
  graphql.query('Tides', () =>
    HttpResponse.json({
      data: {
        tides: [
          { time: '03:40', height: 4.1 },
          { time: '09:55', height: 1.3 },
        ],
      },
    }),
  ),
]
