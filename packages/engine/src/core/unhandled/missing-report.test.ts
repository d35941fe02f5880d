import { afterEach, expect, test, vi } from 'vitest'

import { handleRequest } from '../network/handle-request.ts'
import { Network } from '../network/network.ts'
import { setUnhandledReportLoader } from './load-unhandled-report.ts'
import { readUnhandledPolicy } from './unhandled-request.ts'

setUnhandledReportLoader(() => Promise.reject(new Error('not loaded')))

afterEach(() => {
  vi.restoreAllMocks()
})

test('a page that cannot load the report of an unhandled request prints its first line', async () => {
  const printed = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const network = new Network([], { unhandled: readUnhandledPolicy({ onUnhandledRequest: 'warn' }) })
  const nearest: unknown[] = []
  network.observe((decision) => nearest.push(decision.nearest(), decision.suggestion()))
  const outcome = await handleRequest(new Request('https://api.test/user'), network)
  expect(outcome.type).toBe('unhandled')
  expect(printed).toHaveBeenCalledExactlyOnceWith('[understudy] No handler matches GET https://api.test/user (US0201)')
  expect(nearest).toEqual([[], undefined])
})

test('onUnhandledRequest: "error" fails a request whose report cannot be loaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const network = new Network([], { unhandled: readUnhandledPolicy({ onUnhandledRequest: 'error' }) })
  const outcome = await handleRequest(new Request('https://api.test/user'), network)
  expect(outcome).toMatchObject({ type: 'network-error', isUnhandled: true })
})
