import { http, HttpResponse } from '@understudy/engine'

import { server } from './mocks/server'
import { listFound } from './office'

test('lists the found items', async () => {
  expect(await listFound()).toEqual([{ id: 1, what: 'One umbrella' }])
})

test('reports a server error', async () => {
  server.use(http.get('/api/found', () => new HttpResponse(null, { status: 503 })))
  await expect(listFound()).rejects.toThrow('The server answered 503.')
})
