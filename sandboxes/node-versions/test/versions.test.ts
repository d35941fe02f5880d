import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { repository } from '../../../test/acceptance/project.ts'
import { newestNode, oldestNode, tooOldNode } from './run-on-node.ts'

const run = promisify(execFile)

test('the oldest supported version is Node 22', async () => {
  expect((await run(oldestNode, ['--version'])).stdout).toMatch(/^v22\./)
})

test.skipIf(!existsSync(newestNode))('the newest version is Node 26', async () => {
  expect((await run(newestNode, ['--version'])).stdout).toMatch(/^v26\./)
})

test
  .skipIf(!existsSync(tooOldNode))
  .each([
    `import { http } from '@understudy/engine'; http.get('/user', () => {})`,
    `import { setupServer } from '@understudy/engine/node'; setupServer()`,
    `import understudy from '@understudy/vite-plugin'; understudy()`,
  ])('on Node 20, one sentence says what to do: %s', async (code) => {
  const failed: unknown = await run(tooOldNode, ['--input-type=module', '--eval', code], { cwd: repository }).catch(
    (error: { stderr: string }) => error.stderr,
  )
  expect(failed).toMatch(/Failed to load @understudy\/engine: Node 20\.\S+ is too old\. Use Node 22\.12 or later\./)
})
