import { join, relative } from 'node:path'
import { inspect, stripVTControlCharacters } from 'node:util'

import { startVitest, type CliOptions, type Vitest } from 'vitest/node'

import { findHeadlessShell, findOrInstallChromium, findOrInstallHeadlessShell } from './find-chromium.ts'

// Workers of Vitest, and all processes that inherit the environment, keep the compiled code of tools and libraries.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../.tmp/compile-cache')

/**
 * The number of tests by result. A module that could not be loaded and an uncaught error count as one failed test each.
 */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The counts of a run, and its failures. */
export interface Run {
  readonly counts: Counts
  /** `test/vite/bases.test.ts > a base > it is mocked: expected 1 to be 2` */
  readonly failures: readonly string[]
  /** The tests that failed at first and passed at the second attempt, in the same form. */
  readonly flakes: readonly string[]
}

/** The projects whose tests start tools and browsers. Their files may get a second attempt, which `test/flaky.md` explains. */
const projectsWithTools = ['acceptance', 'acceptance-alone', 'heavy', 'firefox']

/** If more files than this fail, the cause is not a flaky test. */
const mostSecondAttempts = 4

/** Finds or installs a browser, prints its version, and passes it to tests in the environment. */
export function prepareBrowser(): void {
  const browser = findOrInstallChromium()
  process.env['UNDERSTUDY_CHROMIUM'] = browser.path
  console.log(`browser: ${browser.version} at ${browser.path} (${browser.how})`)
}

/**
 * Finds Chromium's headless shell, and passes it to tests in the environment.
 *
 * @param mayInstall whether to install the shell if it is missing. Tests also run without it, more slowly
 */
export function prepareHeadlessShell(mayInstall: boolean): void {
  const path = mayInstall ? findOrInstallHeadlessShell() : findHeadlessShell()
  process.env['UNDERSTUDY_HEADLESS_SHELL'] = path ?? ''
  console.log(`headless shell: ${path ?? 'none, all tests run in the whole browser'}`)
}

/**
 * Runs tests once.
 *
 * @param filter parts of the files' paths. Empty: all files
 * @param options the options of Vitest
 * @param hasSecondAttempt whether failed files with tools run a second time, one at a time. The second result then counts, and
 *   the first failures are printed
 */
export async function runVitest(filter: string[], options: CliOptions, hasSecondAttempt: boolean): Promise<Run> {
  const files = await runOnce(filter, options)
  if (!hasSecondAttempt) return total([...files.values()])
  const failed = [...files].filter(([, { failures }]) => failures.length > 0)
  const again = failed.filter(([, { project }]) => projectsWithTools.includes(project))
  if (again.length > 0 && again.length === failed.length && again.length <= mostSecondAttempts) {
    // Vitest has set the exit code because of the first attempt.
    process.exitCode = undefined
    console.log(`\nA second attempt, one file at a time: ${again.map(([file]) => file).join(', ')}`)
    for (const [file, first] of again) {
      const second = (await runOnce([file], { ...options, project: [first.project], maxWorkers: 1 })).get(file)
      if (second === undefined) continue
      files.set(file, { ...second, flakes: second.failures.length === 0 ? first.failures : [] })
    }
  }
  return total([...files.values()])
}

/** The results of the tests of a file. */
interface FileRun extends Run {
  readonly project: string
}

async function runOnce(filter: string[], options: CliOptions): Promise<Map<string, FileRun>> {
  // A missing snapshot must fail like a changed one. `-u` writes it.
  const vitest = await startVitest(filter, { update: 'none', ...options, watch: false })
  const files = summarize(vitest)
  await vitest.close()
  return files
}

/** Returns the sum of several runs. */
export function total(runs: readonly Run[]): Run {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const run of runs) {
    for (const key of ['passed', 'failed', 'skipped'] as const) counts[key] += run.counts[key]
  }
  return {
    counts,
    failures: runs.flatMap(({ failures }) => failures),
    flakes: runs.flatMap(({ flakes }) => flakes),
  }
}

/** `'512 passed, 0 failed, 3 skipped'` */
export function toLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

/**
 * Prints the failures and the counts of a run, each on a separate line, and ends the process. Otherwise, a server that
 * a test forgot to close would keep a finished run alive.
 */
export function finish({ counts, failures, flakes }: Run): never {
  if (counts.passed + counts.failed === 0) {
    console.error('Failed to test: no test ran. Check the filter against the names of the files.')
  }
  // Print the failures at the end, because logs of long runs are often cut to their end.
  printList('Passed at the second attempt', flakes)
  printList('Failed', failures)
  console.log(toLine(counts))
  const isGood = counts.passed > 0 && counts.failed === 0
  process.exit(isGood && !process.exitCode ? 0 : 1)
}

function printList(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
}

const noRun: FileRun = { project: '', ...total([]) }

function summarize({ state, config }: Vitest): Map<string, FileRun> {
  const files = new Map<string, FileRun>()
  for (const module of state.getTestModules()) {
    const file = module.relativeModuleId
    const project = module.project.name
    const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
    const failures: string[] = []
    const fail = (name: string, error: Failure | undefined): void => {
      counts.failed += 1
      failures.push(`${name}: ${describe(error ?? { message: 'it never ended' })}`)
    }
    for (const error of module.errors()) fail(file, error)
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) fail(`${file} > ${suite.fullName}`, error)
    }
    for (const test of module.children.allTests()) {
      const result = test.result()
      const name = `${file} > ${test.fullName}`
      // A test without a result did not pass.
      if (result.state === 'passed' || result.state === 'skipped') counts[result.state] += 1
      else fail(name, result.errors?.[0])
    }
    // Several projects may run the same file, except for files with tools.
    const key = projectsWithTools.includes(project) ? file : `${file} (${project})`
    files.set(key, { project, counts, failures, flakes: [] })
  }
  for (const error of state.getUnhandledErrors() as (Error & { VITEST_TEST_PATH?: string })[]) {
    const file = relative(config.root, error.VITEST_TEST_PATH ?? config.root)
    const { project, counts, failures, flakes } = files.get(file) ?? noRun
    const failure = `${file}, outside of tests: ${describe(error)}`
    files.set(file, {
      project,
      counts: { ...counts, failed: counts.failed + 1 },
      failures: [...failures, failure],
      flakes,
    })
  }
  return files
}

interface Failure {
  readonly message: string
  /** The whole actual value of a failed comparison, which messages shorten. */
  readonly actual?: unknown
}

/** Describes a failure on one line. */
function describe({ message, actual }: Failure): string {
  return (
    shorten(message) +
    (actual === undefined ? '' : ` (it is ${shorten(typeof actual === 'string' ? actual : inspect(actual))})`)
  )
}

function shorten(message: string): string {
  const text = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ')
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}
