/**
 * The packages of MSW contain unit tests. This file runs the tests of exported names on Understudy. `unit-tests/differences.ts` lists
 * those that fail, by reason.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { differences } from '../unit-tests/differences.ts'
import { files } from '../unit-tests/files.ts'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')
const vitest = join(sandbox, '../../node_modules/vitest/vitest.mjs')

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { fullName: string; status: string }[]
  }[]
}

/** Runs the tests of a version of MSW on a library. Returns `'passed'`, `'failed'`… by file and name. */
async function runUnitTests(library: string, subject: 'msw' | 'understudy'): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'unit-tests-'))
  const report = join(folder, 'report.json')
  const args = [vitest, 'run', '--config', 'unit-tests/vitest.config.js', '--reporter=json', `--outputFile=${report}`]
  const { VITEST: _, ...env } = process.env
  await run(process.execPath, args, {
    cwd: sandbox,
    env: { ...env, LIBRARY: library, SUBJECT: subject },
    maxBuffer: Infinity,
  }).catch(() => {})
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
  await rm(folder, { recursive: true })
  const results = new Map<string, string>()
  for (const { name, message, assertionResults } of testResults) {
    const file = name.slice(name.indexOf('/src/') + '/src/'.length, -'.test.ts'.length)
    if (assertionResults.length === 0) results.set(file, message)
    for (const { fullName, status } of assertionResults) results.set(`${file}: ${fullName}`, status)
  }
  return results
}

const known = Object.values(differences).flat()

describe.each(Object.keys(files))('the unit tests of %s', (library) => {
  const own = files[library as keyof typeof files]

  test('pass on MSW', async () => {
    const results = await runUnitTests(library, 'msw')
    expect([...results].filter(([, status]) => status !== 'passed')).toEqual([])
    expect(results.size).toBeGreaterThan(100)
  })

  test('pass on Understudy, except for the listed ones', async () => {
    const results = await runUnitTests(library, 'understudy')
    const failed = [...results.keys()].filter((name) => results.get(name) !== 'passed')
    expect(failed.filter((name) => !known.some((start) => name.startsWith(start)))).toEqual([])
    const listed = known.filter((start) => own.some((file) => start.startsWith(`${file}: `)))
    expect(listed.filter((start) => !failed.some((name) => name.startsWith(start)))).toEqual([])
    expect(results.size - failed.length).toBeGreaterThan(80)
  })
})
