import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { markAsOfApp } from '../core/network/document-request.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { Network } from '../core/network/network.ts'
import { readUnhandledPolicy } from '../core/unhandled/unhandled-request.ts'
import { graphql, http, HttpResponse, passthrough } from '../index.ts'
import { inspect } from './inspect.ts'
import { KeptSettings } from './kept-settings.ts'

const baseUrl = 'https://app.test/'
const handlers = [
  http.get('/user', () => HttpResponse.text('mock')),
  http.get('/real', () => passthrough()),
  http.get('/nothing', () => {}),
  graphql.query('GetUser', () => HttpResponse.json({ data: {} })),
]

function start(strategy: 'warn' | 'error' = 'error') {
  const unhandled = readUnhandledPolicy({ onUnhandledRequest: strategy })
  const network = new Network(handlers, { baseUrl, unhandled })
  const inspection = inspect({ '~network': network })
  const ask = async (path: string, init?: RequestInit): Promise<string> =>
    (await handleRequest(new Request(new URL(path, baseUrl), init), network)).type
  const recorded = (): string[] =>
    inspection
      .listRequests()
      .filter(({ isRecorded }) => isRecorded)
      .map(({ url }) => new URL(url).pathname)
  return { network, inspection, ask, recorded }
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

test('unmatched requests go to the network without warnings, even if the policy is an error', async () => {
  const { inspection, ask, recorded } = start()
  expect(await ask('/other')).toBe('network-error')
  vi.mocked(console.error).mockClear()
  inspection.record('unmatched')
  expect(await ask('/other')).toBe('unhandled')
  expect(await ask('/user')).toBe('mocked')
  expect(await ask('/real')).toBe('passthrough')
  expect(await ask('/nothing')).toBe('passthrough')
  expect(recorded()).toEqual(['/other'])
  expect(console.error).not.toHaveBeenCalled()
  expect(console.warn).not.toHaveBeenCalled()
  inspection.record(null)
  expect(await ask('/other')).toBe('network-error')
  expect(recorded()).toEqual(['/other'])
})

test('with all requests, no handler answers', async () => {
  const { inspection, ask, recorded, network } = start()
  inspection.record('all')
  const query = { method: 'POST', body: JSON.stringify({ query: 'query GetUser { user }' }) }
  expect(await ask('/user')).toBe('passthrough')
  expect(await ask('/other')).toBe('passthrough')
  expect(await ask('/graphql', { ...query, headers: { 'content-type': 'application/json' } })).toBe('passthrough')
  // A handler that is added later does not answer either.
  network.layers.use([http.get('/late', () => HttpResponse.text('mock'))])
  expect(await ask('/late')).toBe('passthrough')
  expect(recorded()).toEqual(['/late', '/graphql', '/other', '/user'])
  expect(inspection.snapshot().handlers.map(({ hits }) => hits)).toEqual([0, 0, 0, 0, 0])
  inspection.record('unmatched')
  expect(await ask('/late')).toBe('mocked')
})

test('assets and documents are not marked', async () => {
  const { network, inspection, ask, recorded } = start()
  inspection.record('all')
  expect(await ask('/src/main.ts')).toBe('passthrough')
  expect((await handleRequest(markAsOfApp(new Request(baseUrl), 'navigate'), network)).type).toBe('passthrough')
  expect(recorded()).toEqual([])
})

test('a policy that is set while requests are recorded applies afterwards', async () => {
  const { network, inspection, ask } = start('warn')
  inspection.record('unmatched')
  network.unhandled = readUnhandledPolicy({ onUnhandledRequest: 'error' })
  expect(await ask('/other')).toBe('unhandled')
  inspection.record(null)
  expect(await ask('/other')).toBe('network-error')
})

test('the snapshot shows it, listeners are notified, and reset ends it', async () => {
  const { inspection, ask } = start()
  const listener = vi.fn<() => void>()
  inspection.onChange(listener)
  inspection.record('all')
  await expect.poll(() => listener.mock.calls.length).toBe(1)
  expect(inspection.snapshot().recording).toBe('all')
  inspection.reset()
  expect(inspection.snapshot()).not.toHaveProperty('recording')
  expect(await ask('/user')).toBe('mocked')
})

test('the page after a reload records from its first request on', async () => {
  const first = start()
  const kept = new KeptSettings(first.network, '')
  first.inspection.record('all')
  const second = start()
  const next = new KeptSettings(second.network, kept.text)
  expect(await second.ask('/user')).toBe('passthrough')
  next.reset()
  expect(next.text).toBe('')
  expect(await second.ask('/user')).toBe('mocked')
})
