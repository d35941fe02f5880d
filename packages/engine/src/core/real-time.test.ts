import { afterEach, expect, test, vi } from 'vitest'

import { later } from './real-time.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('fake timers do not delay it', async () => {
  vi.useFakeTimers()
  const order: string[] = []
  await Promise.all([
    new Promise<void>((resolve) => {
      later(() => resolve(void order.push('second')), 20)
    }),
    new Promise<void>((resolve) => {
      later(() => resolve(void order.push('first')), 1)
    }),
  ])
  expect(order).toEqual(['first', 'second'])
})

test('works without AbortSignal.timeout(), as in jsdom 20', async () => {
  vi.stubGlobal('AbortSignal', class {})
  const act = vi.fn<() => void>()
  later(act, 1)
  await vi.waitFor(() => expect(act).toHaveBeenCalledOnce())
})
