import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { delay } from './delay.ts'

const [shortest, longest] = typeof document === 'object' ? [100, 400] : [5, 5]

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns the milliseconds of the delay; `undefined` if it takes more than a day. */
async function measure(waiting: Promise<void>): Promise<number | undefined> {
  const start = Date.now()
  let end: number | undefined
  void waiting.then(() => {
    end = Date.now()
  })
  await vi.advanceTimersByTimeAsync(86_400_000)
  return end === undefined ? undefined : end - start
}

it.each([0, 1, 1500])('waits %i ms', async (milliseconds) => {
  expect(await measure(delay(milliseconds))).toBe(milliseconds)
})

it('a negative delay does not wait', async () => {
  expect(await measure(delay(-5))).toBe(0)
})

it.each([['real' as const], [undefined]])(
  'waits as long as a server in a page, and only briefly in Node: %s',
  async (mode) => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => measure(delay(mode))))
    expect(waits.filter((wait = Infinity) => wait < shortest || wait > longest)).toEqual([])
  },
)

it("never ends with 'infinite'", async () => {
  expect(await measure(delay('infinite'))).toBe(undefined)
})

it('waits as long as a timer can', async () => {
  let isOver = false
  void delay(2_147_483_647).then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(2_147_483_646)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
})

describe('refuses', () => {
  it.each<[value: unknown, reason: string]>([
    ['forever', 'the string "forever" is not a duration. Use "real", "infinite" or milliseconds.'],
    ['100', 'the string "100" is not a duration. Use "real", "infinite" or milliseconds.'],
    [Number.NaN, 'the number NaN is not a duration. Use "real", "infinite" or milliseconds.'],
    [null, 'null is not a duration. Use "real", "infinite" or milliseconds.'],
    [2_147_483_648, '2147483648 ms is longer than a timer can wait. Use at most 2147483647 ms, or "infinite".'],
    [Infinity, 'Infinity ms is longer than a timer can wait. Use at most 2147483647 ms, or "infinite".'],
  ])('%s', async (value, reason) => {
    await expect(delay(value as number)).rejects.toThrow(`Failed to delay a response: ${reason}`)
  })
})
