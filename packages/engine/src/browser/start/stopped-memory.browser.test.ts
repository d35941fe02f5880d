/** Tests that the browser can free the handlers of a page after mocking has stopped. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'

import { HttpResponse } from '../../core/responses/http-response.ts'
import { http } from '../../http/http.ts'
import { setupWorker } from './setup-worker.ts'

const serviceWorker = { url: '/understudy-worker.js', options: { scope: '/' } }
const devTools = cdp() as unknown as { send(method: string): Promise<unknown> }

beforeEach(() => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** Starts and stops mocking. Only the handler refers to the returned object. */
async function mockOnce(answer: 'worker' | 'page'): Promise<WeakRef<object>> {
  const data = { text: 'data' }
  const worker = setupWorker(http.get('/user', () => HttpResponse.text(data.text)))
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass', serviceWorker, answer })
  worker.stop()
  return new WeakRef(data)
}

test.each([
  ['the service worker', 'worker', true],
  ['the page, beside the service worker', 'page', true],
  ['the page itself', 'worker', false],
] as const)('handlers are freed after many starts and stops of %s', async (_name, answer, isWorker) => {
  if (!isWorker) Object.defineProperty(navigator, 'serviceWorker', { value: undefined, configurable: true })
  const kept: WeakRef<object>[] = []
  for (let cycle = 0; cycle < 10; cycle++) kept.push(await mockOnce(answer))
  await vi.waitFor(
    async () => {
      await devTools.send('HeapProfiler.collectGarbage')
      expect(kept.filter((each) => each.deref() !== undefined)).toHaveLength(0)
    },
    { timeout: 20_000, interval: 200 },
  )
})
