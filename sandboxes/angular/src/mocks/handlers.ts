import { Harbor, tides } from '@data/tides'
import { http, HttpResponse } from '@understudy/engine'

export const handlers = [
  http.get('/api/harbor', () => HttpResponse.text(Harbor.Home)),
  http.get('/api/tides', () => HttpResponse.json(tides)),
]
