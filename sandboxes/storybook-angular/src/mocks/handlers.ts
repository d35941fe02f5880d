import { http, HttpResponse } from '@understudy/engine'

export const handlers = [http.get('/api/boats', () => HttpResponse.json([{ id: 'GBR-7', name: 'Petrel' }]))]
