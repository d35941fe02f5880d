import { Network } from '@understudy/engine/internal/page'
import { expect, test } from 'vitest'

import { endRequestsOf } from './pending-requests.ts'
import { addRun, removeRun, type StoryRun } from './story-run.ts'

const createRun = (beganAt: number): StoryRun => ({ beganAt }) as StoryRun

/** Creates requests that arrived at these times. */
function bring(network: Network, ...times: number[]): () => number[] {
  for (const cameAt of times) {
    const untrack = network.track(() => untrack(), cameAt)
  }
  return () => Array.from(network.underWay, ({ cameAt }) => cameAt)
}

test('requests from before the oldest remaining story end, except those from before all stories', () => {
  const network = new Network([])
  const [first, second, third] = [createRun(10), createRun(20), createRun(30)]
  for (const run of [first, second, third]) addRun(run)
  const left = bring(network, 5, 15, 20, 25, 35)
  removeRun(second)
  endRequestsOf(second, network)
  expect(left()).toEqual([5, 15, 20, 25, 35])
  removeRun(first)
  endRequestsOf(first, network)
  expect(left()).toEqual([5, 35])
  removeRun(third)
  endRequestsOf(third, network)
  expect(left()).toEqual([5])
})
