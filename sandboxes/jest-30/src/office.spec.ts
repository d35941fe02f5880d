import { http, HttpResponse } from '@understudy/engine'

import { server } from './mocks/server'
import { listFound } from './office'

test('lists what was found', async () => {
  expect(await listFound()).toEqual([{ id: 1, what: 'One umbrella' }])
})

test('says so when the office is closed', async () => {
  server.use(http.get('/api/found', () => new HttpResponse(null, { status: 503 })))
  await expect(listFound()).rejects.toThrow('The office answers 503.')
})
