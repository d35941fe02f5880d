import { http, HttpResponse } from '@understudy/engine'

export const handlers = [http.get('/api/user', () => HttpResponse.json({ name: 'the mock' }))]
