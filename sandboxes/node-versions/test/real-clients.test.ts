import { test } from 'vitest'

import { expectPassed, oldestNode } from './run-on-node.ts'

test('the tests of real clients pass', { timeout: 600_000 }, async () => {
  await expectPassed(oldestNode, 'real-clients', [
    '--project',
    'acceptance-alone',
    'test/node-clients/',
    'test/node-worlds/',
  ])
})
