import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { repository } from '../../../test/acceptance/project.ts'
import { node } from './run-on-node.ts'

const run = promisify(execFile)

test('it is Node 22', async () => {
  expect((await run(node, ['--version'])).stdout).toMatch(/^v22\./)
})

/** Comes with a package for Linux on x64 only. */
const oldNode = join(import.meta.dirname, '../node_modules/node-20/bin/node')

test
  .skipIf(!existsSync(oldNode))
  .each([
    `import { http } from '@understudy/engine'; http.get('/user', () => {})`,
    `import { setupServer } from '@understudy/engine/node'; setupServer()`,
    `import understudy from '@understudy/vite-plugin'; understudy()`,
  ])('on Node 20, one sentence says what to do: %s', async (code) => {
  const failed: unknown = await run(oldNode, ['--input-type=module', '--eval', code], { cwd: repository }).catch(
    (error: { stderr: string }) => error.stderr,
  )
  expect(failed).toMatch(/Failed to load @understudy\/engine: Node 20\.\S+ is too old\. Use Node 22\.12 or later\./)
})
