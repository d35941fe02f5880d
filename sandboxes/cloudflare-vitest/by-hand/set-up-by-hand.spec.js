import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import { exports } from 'cloudflare:workers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const server = setupServer(http.get('https://api.example/price', () => HttpResponse.json({ price: 1 })))
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const readJson = async (path) => (await exports.default.fetch(`https://shop.example${path}`)).json()

test('setupServer() mocks the requests of the Worker', async () => {
  expect(await readJson('/price')).toEqual({ price: 1 })
  server.use(http.get('https://api.example/price', () => HttpResponse.json({ price: 2 })))
  expect(await readJson('/price')).toEqual({ price: 2 })
})

test('an unhandled request fails', async () => {
  expect(await readJson('/unknown')).toMatchObject({ name: 'TypeError', message: 'fetch failed' })
})
