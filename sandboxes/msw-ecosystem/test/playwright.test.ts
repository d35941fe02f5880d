/** Tests packages that answer requests of Playwright's pages with handlers, in Playwright's own runner. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')

test.each([
  ['@msw/playwright', 'msw-playwright', 5],
  ['playwright-msw', 'playwright-msw', 2],
])('%s', async (_name, file, count) => {
  const command = join(sandbox, 'node_modules/@playwright/test/cli.js')
  const { stdout } = await run(process.execPath, [command, 'test', `${file}.spec.js`], {
    cwd: join(sandbox, 'playwright'),
  }).catch((error: { stdout: string }) => error)
  expect(stdout).toContain(`${count} passed`)
})
