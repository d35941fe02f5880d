import { http, HttpResponse } from '@understudy/engine'

export const handlers = [http.get('/api/remote', () => HttpResponse.json({ from: 'the mock of the remote' }))]
