import { test } from 'vitest'

import { expectPassed } from './run-on-node.ts'

test('the tests of the engine pass', { timeout: 600_000 }, async () => {
  await expectPassed('engine', ['--project', 'node*', 'packages/engine/'])
})
