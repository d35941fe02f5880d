import { existsSync } from 'node:fs'

import { test } from 'vitest'

import { expectPassed, newestNode } from './run-on-node.ts'

test.skipIf(!existsSync(newestNode))('the interception passes its tests', { timeout: 600_000 }, async () => {
  await expectPassed(newestNode, 'newest-interception', ['--project', 'node*', 'packages/engine/src/node/'])
})
