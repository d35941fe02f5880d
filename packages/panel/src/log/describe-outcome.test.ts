import type { LoggedRequest } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { describeTiming } from './describe-outcome.ts'

test.each<[LoggedRequest['outcome'], string]>([
  ['pending', 'pending for'],
  ['mocked', 'answered after'],
  ['network-error', 'failed after'],
  ['passthrough', 'sent after'],
  ['unhandled', 'sent after'],
])('the timing of the outcome %s reads "%s"', (outcome, words) => {
  expect(describeTiming(outcome)).toBe(words)
})
