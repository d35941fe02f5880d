import { afterEach, expect, test, vi } from 'vitest'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { http } from '../../http/http.ts'
import { getGate } from '../gate/gate.ts'
import { setupWorker } from './setup-worker.ts'

vi.mock('../in-page/beside-worker.ts', () => {
  throw new Error('not loaded')
})
vi.mock('../../ws/open-connection.ts', () => {
  throw new Error('not loaded')
})

const worker = setupWorker(http.get('/user', () => HttpResponse.text('mocked')))

afterEach(() => worker.stop())

test.each([
  ['that answers in the page', { answer: 'page' }],
  ['of WebSocket', { onUnhandledRequest: 'error' }],
] as const)('if the file %s does not load, the start fails, and requests reach the network', async (_, options) => {
  await expect(worker.start({ quiet: true, ...options })).rejects.toBeInstanceOf(Error)
  expect(getGate()?.state).toBe('open')
  const response = await fetch('/user')
  expect(await response.text()).not.toBe('mocked')
})

test('a later start works', async () => {
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  expect(await (await fetch('/user')).text()).toBe('mocked')
})
