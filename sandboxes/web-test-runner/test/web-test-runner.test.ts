/** Tests mocking in Web Test Runner, which has no build tool and sends modules as they are. */
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { runTool } from '../../../test/acceptance/run-tool.ts'
import { findForTest } from '../../../test/find-chromium.ts'

const sandbox = join(import.meta.dirname, '..')

test('Web Test Runner answers in two pages at a time, and prints nothing else', async () => {
  const runner = join(sandbox, 'node_modules/@web/test-runner/dist/bin.js')
  const tool = runTool(runner, ['--concurrency', '2'], {
    folder: sandbox,
    env: { UNDERSTUDY_CHROMIUM: findForTest() ?? '' },
  })
  const code = await tool.exit
  expect(tool.output).toContain('8 passed, 0 failed')
  expect(tool.output).not.toMatch(/Browser logs|Error/)
  expect(code, tool.output).toBe(0)
})
