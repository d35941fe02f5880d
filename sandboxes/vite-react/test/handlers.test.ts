/** Tests the app's handlers file in Node, like unit tests of the app: every client gets the same responses. */
import { get, type IncomingMessage } from 'node:http'

import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'
import axios from 'axios'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { handlers } from '../src/mocks/handlers.ts'

const api = 'http://box-office.test/api'
const server = setupServer(...handlers)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  server.cookies.clear()
})
afterAll(() => server.close())

test('answers fetch', async () => {
  const response = await fetch(`${api}/plays`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toContainEqual(expect.objectContaining({ title: 'The Seagull' }))
})

test('answers http.request', async () => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${api}/plays/the-seagull`, resolve).on('error', reject)
  })
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  expect(response.statusCode).toBe(200)
  expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ title: 'The Seagull' })
})

test('answers axios, including errors', async () => {
  const play = await axios.get(`${api}/plays/the-seagull`)
  expect(play.data).toMatchObject({ title: 'The Seagull' })

  const booking = axios.post(`${api}/bookings`, { performance: '', seats: 9, name: '', email: '' })
  await expect(booking).rejects.toMatchObject({
    response: { status: 422, data: { errors: { seats: 'Book between 1 and 8 seats.' } } },
  })
})

test('keeps the cookie of a login for later requests', async () => {
  await fetch(`${api}/session`, {
    method: 'POST',
    body: JSON.stringify({ email: 'ada@example.com', password: 'break-a-leg' }),
  })
  const session = await fetch(`${api}/session`)
  expect(await session.json()).toEqual({ user: expect.objectContaining({ name: 'Ada Lovelace' }) })

  await fetch(`${api}/session`, { method: 'DELETE' })
  const ended = await fetch(`${api}/session`)
  expect(await ended.json()).toEqual({ user: null })
})

test('fails like the network', async () => {
  await expect(fetch(`${api}/printer`)).rejects.toThrow(TypeError)
  const error: unknown = await axios.get(`${api}/printer`).catch((reason: unknown) => reason)
  expect(axios.isAxiosError(error) && error.response).toBe(undefined)
})

test('a test overrides a handler, and the next test gets the initial handler', async () => {
  server.use(http.get('/api/plays', () => HttpResponse.json([])))
  expect(await (await fetch(`${api}/plays`)).json()).toEqual([])

  server.resetHandlers()
  expect(await (await fetch(`${api}/plays`)).json()).toHaveLength(6)
})

test('an unhandled request fails with the strategy "error"', async () => {
  await expect(fetch(`${api}/nothing`)).rejects.toThrow(TypeError)
})
