import { expect, test } from 'vitest'

import { createRequest } from '../testing/create-request.ts'
import { toPhases } from './to-phases.ts'

const phases = (given: Parameters<typeof createRequest>[1], elapsed = 1000, isAwaited = false): string[] =>
  toPhases(createRequest('1', given), elapsed, isAwaited).map(
    ({ name, start, end, isRunning }) => `${name} ${start}–${end}${isRunning ? ' and on' : ''}`,
  )

test('a mocked request has the time until a handler matched, and that of its resolver', () => {
  expect(phases({ outcome: 'mocked', matchedAfter: 2, duration: 50 })).toEqual(['Match 0–2', 'Resolver 2–50'])
})

test('a delay that was forced is a separate phase', () => {
  const forced = { delay: 30 }
  expect(phases({ outcome: 'mocked', matchedAfter: 2, duration: 50, forced })).toEqual([
    'Match 0–2',
    'Delay 2–32',
    'Resolver 32–50',
  ])
  // Timers may fire early.
  expect(phases({ outcome: 'mocked', matchedAfter: 2, duration: 31, forced })).toEqual([
    'Match 0–2',
    'Delay 2–31',
    'Resolver 31–31',
  ])
})

test('a request that is sent to the network has the time until its response', () => {
  const sent = { outcome: 'unhandled', duration: 3 } as const
  expect(phases({ ...sent, respondedAfter: 80 })).toEqual(['Match 0–3', 'Network 3–80'])
  expect(phases(sent, 90, true)).toEqual(['Match 0–3', 'Network 3–90 and on'])
  expect(phases(sent, 90, false)).toEqual(['Match 0–3'])
  expect(phases({ outcome: 'passthrough', matchedAfter: 1, duration: 3, respondedAfter: 80 })).toEqual([
    'Match 0–1',
    'Resolver 1–3',
    'Network 3–80',
  ])
})

test('the last phase of a pending request runs', () => {
  expect(phases({ outcome: 'pending', matchedAfter: null, duration: null }, 7)).toEqual(['Match 0–7 and on'])
  expect(phases({ outcome: 'pending', matchedAfter: 2, duration: null }, 7)).toEqual([
    'Match 0–2',
    'Resolver 2–7 and on',
  ])
})

test('clocks that differ do not make a phase end before it starts', () => {
  expect(phases({ outcome: 'mocked', matchedAfter: 5, duration: 4 })).toEqual(['Match 0–5', 'Resolver 5–5'])
  expect(phases({ outcome: 'pending', matchedAfter: 5, duration: null }, -10)).toEqual([
    'Match 0–5',
    'Resolver 5–5 and on',
  ])
})
