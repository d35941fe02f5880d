/** Tests packages that import from "msw", with that name as an alias for `@understudy/msw`. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')

test('there is no other package of that name', async () => {
  const lock = JSON.parse(await readFile(join(sandbox, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string }>
  }
  const aliases = Object.entries(lock.packages).filter(([path]) => path.endsWith('node_modules/msw'))
  expect(aliases.map(([, { name }]) => name)).toEqual(['@understudy/msw'])
})

test('packages that make handlers work on handlers of Understudy', async () => {
  const args = ['--test', '--test-timeout=30000', '--test-force-exit', '--test-reporter=tap', 'src/check-packages.js']
  const { stdout } = await run(process.execPath, args, { cwd: sandbox }).catch((error: { stdout: string }) => error)
  expect(stdout.match(/^ *not ok .*$/gm), stdout).toBeNull()
  expect(stdout).toContain('# pass 10')
})

test('the command copies the service worker', async () => {
  const target = join(sandbox, 'node_modules/.msw-init')
  await run(process.execPath, [join(sandbox, 'node_modules/msw/bin/msw.js'), 'init', target, '--save'])
  const worker = await readFile(join(target, 'mockServiceWorker.js'), 'utf8')
  expect(worker).toBe(await readFile(join(sandbox, 'node_modules/@understudy/engine/dist/worker.js'), 'utf8'))
})
