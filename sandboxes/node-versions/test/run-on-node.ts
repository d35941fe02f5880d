import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'vitest'

import { repository } from '../../../test/acceptance/project.ts'

const run = promisify(execFile)
const vitest = join(repository, 'node_modules/vitest/vitest.mjs')

const modules = join(import.meta.dirname, '../node_modules')

/** The oldest supported version of Node. */
export const oldestNode: string = join(modules, '.bin/node')
/** The newest version of Node. It comes with a package for Linux on x64 only. */
export const newestNode: string = join(modules, 'node-26/bin/node')
/** A version that is too old. It comes with a package for Linux on x64 only. */
export const tooOldNode: string = join(modules, 'node-20/bin/node')

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

/**
 * Runs tests of the repository on a version of Node, but those that `onlyOnOwnNode` in `vitest.config.ts` lists. Each call is a file,
 * because a second attempt of `test/run-all.ts` repeats files.
 *
 * @param name the name of the report
 * @param args Vitest's project and files
 * @throws if a test fails, or if there are hardly any
 */
export async function expectPassed(node: string, name: string, args: readonly string[]): Promise<void> {
  const file = join(import.meta.dirname, `../node_modules/.report-${name}.json`)
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
}

function listFailures({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status: each }) => each === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${name}: ${message}`]
    return failed.map(({ fullName, failureMessages }) => `${name} > ${fullName}: ${failureMessages?.[0] ?? ''}`)
  })
}
