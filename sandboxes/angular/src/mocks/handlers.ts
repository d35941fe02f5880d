import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/harbor', () => HttpResponse.text('Esbjerg')),
  http.get('/api/tides', () => HttpResponse.json([{ at: '04:10', meters: 1.4 }])),
]
