/** Runs the tests for Node again on the oldest supported version of Node, but those that `onNewestNode` in `vitest.config.ts` lists. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { repository } from '../../../test/acceptance/project.ts'

const run = promisify(execFile)
const node = join(import.meta.dirname, '../node_modules/.bin/node')
const vitest = join(repository, 'node_modules/vitest/vitest.mjs')

/** The used part of Vitest's report. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

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

const plugins = ['panel', 'storybook-addon', 'vite-plugin', 'webpack-plugin', 'migrate', 'msw']

test.for([
  ['the engine', ['--project', 'node*', 'packages/engine/']],
  ['the plugins', ['--project', 'node*', ...plugins.map((name) => `packages/${name}/`)]],
  ['real clients', ['--project', 'acceptance-alone', 'test/node-clients/', 'test/node-worlds/']],
] as const)('the tests of %s pass', { timeout: 600_000 }, async ([name, args]) => {
  const file = join(import.meta.dirname, `../node_modules/.report-${name.replaceAll(' ', '-')}.json`)
  await rm(file, { force: true })
  // The report tells which tests failed; the exit code does not.
  await run(node, [vitest, 'run', ...args, '--reporter=json', `--outputFile=${file}`], {
    cwd: repository,
    // Only the variables of this run would name projects and workers of Vitest that do not exist there.
    env: Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('VITEST'))),
    maxBuffer: Infinity,
  }).catch(() => undefined)
  const report = JSON.parse(await readFile(file, 'utf8')) as Report
  expect(listFailures(report)).toEqual([])
  expect(report.numPassedTests).toBeGreaterThan(100)
})

function listFailures({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status: each }) => each === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${name}: ${message}`]
    return failed.map(({ fullName, failureMessages }) => `${name} > ${fullName}: ${failureMessages?.[0] ?? ''}`)
  })
}
