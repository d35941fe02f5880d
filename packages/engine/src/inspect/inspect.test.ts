import { beforeEach, describe, expect, test, vi } from 'vitest'

import { handleRequest } from '../core/network/handle-request.ts'
import { createHandlersControl, Network } from '../core/network/network.ts'
import type { Outcome } from '../core/network/outcome.ts'
import { readUnhandledPolicy } from '../core/network/unhandled-request.ts'
import { HttpResponse } from '../core/responses/http-response.ts'
import { http } from '../http/http.ts'
import { inspect, type Inspection } from './inspect.ts'

let network: Network
let inspection: Inspection

beforeEach(() => {
  const handlers = [
    http.get('/users/:id', () => HttpResponse.json({ name: 'Ada' })),
    http.get('/users/:name', () => HttpResponse.text('never asked')),
    http.post('/once', () => HttpResponse.text('first'), { once: true }),
  ]
  const unhandled = readUnhandledPolicy({ onUnhandledRequest: 'bypass' })
  network = new Network(handlers, { baseUrl: 'https://example.com', unhandled })
  inspection = inspect(createHandlersControl(network))
})

const ask = (path: string, init?: RequestInit): Promise<Outcome> =>
  handleRequest(new Request(`https://example.com${path}`, init), network)

const idOf = (header: string): number =>
  inspection.snapshot().handlers.find((handler) => handler.header === header)?.id ?? -1

test('shows handlers in answering order, with where they were written, hits and shadows', async () => {
  await ask('/users/5')
  await ask('/once', { method: 'POST' })
  const { handlers } = inspection.snapshot()
  expect(handlers).toMatchObject([
    { header: 'GET /users/:id', layer: 'initial', hits: 1, enabled: true, shadowedBy: null, isUsedUp: false },
    { header: 'GET /users/:name', hits: 0, shadowedBy: handlers[0]?.id },
    { header: 'POST /once', hits: 1, isUsedUp: true },
  ])
  expect(handlers[0]?.origin?.file).toContain('inspect.test')
})

test('logs requests, the newest first, as plain data', async () => {
  await ask('/users/5')
  await ask('/user/5')
  const snapshot = structuredClone(inspection.snapshot())
  expect(snapshot.requests).toMatchObject([
    {
      method: 'GET',
      url: 'https://example.com/user/5',
      outcome: 'unhandled',
      handlerId: null,
      nearest: [{ header: 'GET /users/:id', difference: 'segment 1 differs: `users` expected, `user` sent' }, {}],
    },
    { outcome: 'mocked', status: 200, handlerId: idOf('GET /users/:id'), nearest: [] },
  ])
})

test('tells subscribers, once for all changes of a moment', async () => {
  const listener = vi.fn<() => void>()
  const unsubscribe = inspection.subscribe(listener)
  network.layers.use([http.get('/new', () => undefined)])
  inspection.setEnabled(idOf('GET /new'), false)
  await Promise.resolve()
  expect(listener).toHaveBeenCalledOnce()
  unsubscribe()
  network.layers.reset()
  await Promise.resolve()
  expect(listener).toHaveBeenCalledOnce()
})

describe('commands', () => {
  test('a handler that is switched off answers nothing', async () => {
    inspection.setEnabled(idOf('GET /users/:id'), false)
    const outcome = await ask('/users/5')
    expect(outcome.type === 'mocked' && (await outcome.response.text())).toBe('never asked')
  })

  test('a status, a delay and a network error are forced, and taken back', async () => {
    const id = idOf('GET /users/:id')
    inspection.override(id, { status: 503 })
    const forced = await ask('/users/5')
    expect(forced.type === 'mocked' && [forced.response.status, await forced.response.json()]).toEqual([
      503,
      { name: 'Ada' },
    ])
    inspection.override(id, { networkError: true, delay: 1 })
    expect((await ask('/users/5')).type).toBe('network-error')
    inspection.override(id, null)
    const own = await ask('/users/5')
    expect(own.type === 'mocked' && own.response.status).toBe(200)
  })

  test('reset() forgets requests, hits, switches and overrides', async () => {
    const id = idOf('GET /users/:id')
    await ask('/users/5')
    inspection.setEnabled(id, false)
    inspection.override(id, { status: 500 })
    inspection.reset()
    const { handlers, requests } = inspection.snapshot()
    expect(handlers[0]).toMatchObject({ hits: 0, enabled: true, override: null })
    expect(requests).toEqual([])
  })

  test.each([
    ['an unknown id', () => inspection.setEnabled(999, true), 'there is no handler with the id 999'],
    ['a status that is none', () => inspection.override(idOf('GET /users/:id'), { status: 99 }), 'the status 99'],
    ['a delay that is none', () => inspection.override(idOf('GET /users/:id'), { delay: -1 }), 'the delay -1'],
  ])('%s is a clear error', (_name, command, message) => {
    expect(command).toThrow(message)
  })
})

test('looks into one network once', () => {
  expect(inspect(createHandlersControl(network))).toBe(inspection)
})
