import { existsSync } from 'node:fs'

import { test } from 'vitest'

import { expectPassed, newestNode } from './run-on-node.ts'

const folders = ['test/node-clients/', 'test/node-worlds/']

test.skipIf(!existsSync(newestNode))('the tests of real clients pass', { timeout: 600_000 }, async () => {
  await expectPassed(newestNode, 'newest-clients', ['--project', 'acceptance-alone', ...folders])
})
