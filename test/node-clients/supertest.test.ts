import { createServer } from 'node:http'

import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import supertest from 'supertest'
import { afterEach, expect, test } from 'vitest'

import { createListener } from './backend.ts'

const server = setupServer(
  http.get('http://upstream.test/price', () => HttpResponse.json({ price: 5 })),
  http.post('*/mocked', () => HttpResponse.json('mocked', { status: 202 })),
)
afterEach(() => server.close())

test('requests reach an app in the same process, and the app’s own requests are mocked', async () => {
  const app = createServer((_request, response) => {
    void fetch('http://upstream.test/price').then(async (upstream) => response.end(await upstream.text()))
  })
  server.listen({ onUnhandledRequest: 'bypass' })
  const response = await supertest(app).get('/cart').expect(200)
  expect(JSON.parse(response.text)).toEqual({ price: 5 })
})

test('requests to the app arrive unchanged', async () => {
  const reached: string[] = []
  server.listen({ onUnhandledRequest: 'bypass' })
  const app = supertest(createServer(createListener(reached)))
  const json = await app.post('/orders').set('Accept', 'text/x').send({ id: 5 })
  expect(json.body).toMatchObject({ method: 'POST', url: '/orders', accept: 'text/x', body: '{"id":5}' })
  const file = await app.post('/files').attach('avatar', Buffer.from('Grüße'), 'ada.txt')
  expect(file.body).toMatchObject({ body: expect.stringContaining('filename="ada.txt"'), isReal: true })
  expect(reached).toEqual(['POST /orders', 'POST /files'])
})

test('a handler answers in place of the app', async () => {
  server.listen({ onUnhandledRequest: 'bypass' })
  const response = await supertest(createServer(createListener([])))
    .post('/mocked')
    .expect(202)
  expect(response.body).toBe('mocked')
})
