import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'

import { setupWorker } from '../browser/start/setup-worker.ts'
import { inspect } from './inspect.ts'

const devTools = cdp() as unknown as { send(method: string): Promise<unknown> }
const observers = new Set<PerformanceObserver>()

class CountedObserver extends PerformanceObserver {
  override observe(options: PerformanceObserverInit): void {
    observers.add(this)
    super.observe(options)
  }

  override disconnect(): void {
    observers.delete(this)
    super.disconnect()
  }
}

beforeEach(() => {
  vi.stubGlobal('PerformanceObserver', CountedObserver)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** In a separate function, so that no variable refers to the workers afterwards. */
function inspectMany(): WeakRef<object>[] {
  return Array.from({ length: 10 }, () => {
    const worker = setupWorker()
    inspect(worker)
    return new WeakRef(worker['~network'])
  })
}

test('many inspections share an observer of the page, which ends with the last of them', async () => {
  const networks = inspectMany()
  expect(observers.size).toBe(1)
  await vi.waitFor(
    async () => {
      await devTools.send('HeapProfiler.collectGarbage')
      expect(networks.filter((each) => each.deref() !== undefined)).toHaveLength(0)
    },
    { timeout: 20_000, interval: 200 },
  )
  await fetch('http://localhost:1/unreachable').catch(() => {})
  await expect.poll(() => observers.size).toBe(0)
  inspectMany()
  expect(observers.size).toBe(1)
})
