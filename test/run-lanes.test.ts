import { expect, test } from 'vitest'

import { createLoadReader, runInLanes } from './run-lanes.ts'

/** Starts jobs that end on request. */
function start(count: number, readLoad: () => number) {
  const endings: (() => void)[] = []
  let started = 0
  let looks = 0
  const takeJob = (): (() => Promise<void>) | undefined => {
    if (started === count) return undefined
    started += 1
    return () =>
      new Promise((resolve) => {
        endings.push(resolve)
      })
  }
  const countedLoad = (): number => {
    looks += 1
    return readLoad()
  }
  const look = async (): Promise<void> => {
    const from = looks
    await expect.poll(() => looks, { interval: 1 }).toBeGreaterThan(from + 5)
  }
  return {
    ended: runInLanes(takeJob, { fewest: 3, most: 5, interval: 1, readLoad: countedLoad }),
    running: (): number => endings.length,
    /** Waits until the load was read several times. */
    look,
    /** Ends a job, and returns how many jobs run then. */
    async endOne(): Promise<number> {
      endings.shift()?.()
      if (endings.length > 0 || started < count) await look()
      return endings.length
    },
  }
}

test('on a busy machine, the fewest jobs run at a time', async () => {
  const jobs = start(8, () => 1)
  await jobs.look()
  expect(jobs.running()).toBe(3)
  const seen: number[] = []
  for (let ended = 0; ended < 8; ended += 1) seen.push(await jobs.endOne())
  expect(seen).toEqual([3, 3, 3, 3, 3, 2, 1, 0])
  await jobs.ended
})

test('on an idle machine, more jobs start, up to the limit, and all of them end', async () => {
  const jobs = start(9, () => 0)
  await jobs.look()
  expect(jobs.running()).toBe(5)
  const seen: number[] = []
  for (let ended = 0; ended < 9; ended += 1) seen.push(await jobs.endOne())
  expect(seen).toEqual([5, 5, 5, 5, 4, 3, 2, 1, 0])
  await jobs.ended
})

test('when the machine becomes busy, no job follows those beyond the fewest', async () => {
  let load = 0
  const jobs = start(9, () => load)
  await jobs.look()
  load = 1
  await jobs.look()
  const seen: number[] = []
  for (let ended = 0; ended < 9; ended += 1) seen.push(await jobs.endOne())
  expect(seen).toEqual([4, 3, 3, 3, 3, 3, 2, 1, 0])
  await jobs.ended
})

test('the load is a share of all cores', async () => {
  const read = createLoadReader()
  const end = performance.now() + 300
  while (performance.now() < end);
  const load = read()
  expect(load).toBeGreaterThan(0)
  expect(load).toBeLessThanOrEqual(1)
})
