import { test } from 'vitest'

import { expectPassed, oldestNode } from './run-on-node.ts'

test('the tests of the engine pass', { timeout: 600_000 }, async () => {
  await expectPassed(oldestNode, 'engine', ['--project', 'node*', 'packages/engine/'])
})
