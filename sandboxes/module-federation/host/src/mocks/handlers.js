import { http, HttpResponse } from '@understudy/engine'

// Without the remote's handlers, its requests would be unhandled here.
const { handlers: remoteHandlers } = await import('remote/handlers')

export const handlers = [
  http.get('/api/host', () => HttpResponse.json({ from: 'the mock of the host' })),
  ...remoteHandlers,
]
