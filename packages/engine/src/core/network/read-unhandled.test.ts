import { afterEach, expect, test, vi } from 'vitest'

import { graphql, HttpResponse } from '../../index.ts'
import { IncomingRequest } from '../handlers/incoming-request.ts'
import { Network } from './network.ts'
import { readUnhandled } from './read-unhandled.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('waits for a body that never ends only for a limited time, also with fake timers', async () => {
  vi.useFakeTimers()
  const network = new Network([graphql.query('User', () => HttpResponse.json({}))])
  const body = new ReadableStream({ pull: () => new Promise(() => {}) })
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, duplex: 'half' }
  const incoming = new IncomingRequest(new Request('https://api.test/other', init), '1', undefined, undefined)
  await expect(readUnhandled(incoming, network)).resolves.toBe(undefined)
})
