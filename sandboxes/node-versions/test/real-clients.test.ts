import { test } from 'vitest'

import { expectPassed } from './run-on-node.ts'

test('the tests of real clients pass', { timeout: 600_000 }, async () => {
  await expectPassed('real-clients', ['--project', 'acceptance-alone', 'test/node-clients/', 'test/node-worlds/'])
})
