/** Tests generators whose handlers import from "msw", with that name as an alias for `@understudy/msw`. */
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')
const generated = join(sandbox, '.tmp/generated')

/** Runs a tool in the folder of the generators' configurations. Tools start others by `node`. */
function runTool(path: string, args: readonly string[]): Promise<{ stdout: string }> {
  return run(process.execPath, [join(sandbox, 'node_modules', path), ...args], {
    cwd: join(sandbox, 'generators'),
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` },
  })
}

beforeAll(async () => {
  await rm(generated, { recursive: true, force: true })
  const orval = [
    '--input',
    './openapi.yaml',
    '--output',
    '../.tmp/generated/orval/users.ts',
    '--client',
    'fetch',
    '--mock',
  ]
  await runTool('orval/dist/bin/orval.js', orval)
  await runTool('@kubb/cli/bin/kubb.cjs', ['generate', '--config', 'kubb.config.js'])
  await runTool('@graphql-codegen/cli/esm/bin.js', ['--config', 'codegen.config.js'])
})

test('the handlers of orval, kubb and GraphQL Code Generator answer', async () => {
  const args = ['--test', '--test-timeout=30000', '--test-force-exit', '--test-reporter=tap', 'src/check-generated.js']
  const { stdout } = await run(process.execPath, args, { cwd: sandbox }).catch((error: { stdout: string }) => error)
  expect(stdout.match(/^ *not ok .*$/gm), stdout).toBeNull()
  expect(stdout).toContain('# pass 3')
})

test('the generated files have no type errors', async () => {
  const { stdout } = await runTool('typescript/bin/tsc', ['-p', '.']).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})
