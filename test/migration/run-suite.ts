import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { runTool } from '../acceptance/run-tool.ts'
import { findForTest } from '../find-chromium.ts'

/** The result of a project's own tests. */
export interface SuiteRun {
  /** 0: all passed. */
  readonly code: number | null
  /** The output of the terminal. */
  readonly output: string
  /** `'passed'`, `'failed'`… by the tests' full names. */
  readonly tests: Readonly<Record<string, string>>
}

/** The report format of Vitest and Jest. */
interface JsonReport {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

/** Runs the project's Vitest, version 1 or later. */
export function runVitestSuite(cli: string, folder: string, args: readonly string[] = []): Promise<SuiteRun> {
  return runWithReport(
    cli,
    ['run', '--reporter=default', '--reporter=json', '--outputFile.json=report.json', ...args],
    folder,
  )
}

/** Runs the project's Jest. */
export function runJestSuite(cli: string, folder: string, args: readonly string[] = []): Promise<SuiteRun> {
  return runWithReport(cli, ['--json', '--outputFile=report.json', '--maxWorkers=2', ...args], folder)
}

async function runWithReport(cli: string, args: readonly string[], folder: string): Promise<SuiteRun> {
  const { code, output } = await runToEnd(cli, args, folder)
  const report = await takeReport<JsonReport>(folder, output)
  const tests: Record<string, string> = {}
  for (const { name, assertionResults, message } of report.testResults) {
    const file = name.slice(folder.length + 1)
    if (assertionResults.length === 0 && message) tests[file] = message
    for (const { fullName, status } of assertionResults) tests[`${file}: ${fullName}`] = status
  }
  return { code, output, tests }
}

interface PlaywrightSuite {
  readonly title: string
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly { title: string; tests: readonly { status: string }[] }[]
}

/**
 * Runs the project's Playwright, whose configuration writes `report.json`.
 *
 * @param port the port of the dev server, which the configuration reads from the variable `PORT`
 */
export async function runPlaywrightSuite(cli: string, folder: string, port: number): Promise<SuiteRun> {
  const { code, output } = await runToEnd(cli, ['test'], folder, { PORT: String(port) })
  const report = await takeReport<{ suites: readonly PlaywrightSuite[] }>(folder, output)
  const tests: Record<string, string> = {}
  const read = (suite: PlaywrightSuite): void => {
    for (const { title, tests: runs } of suite.specs) {
      tests[`${suite.title}: ${title}`] = runs.every(({ status }) => status === 'expected') ? 'passed' : 'failed'
    }
    suite.suites?.forEach(read)
  }
  report.suites.forEach(read)
  return { code, output, tests }
}

/** Runs tests of `node:test`. */
export async function runNodeSuite(folder: string, files: readonly string[]): Promise<SuiteRun> {
  // Node's options come first, where runTool expects the script's name.
  const tool = runTool('--test', ['--test-reporter=tap', ...files], { folder })
  const code = await tool.exit
  const tests: Record<string, string> = {}
  // The results of a suite's tests are indented, and precede that of the suite.
  for (const [, not, name = ''] of tool.output.matchAll(/^ *(not )?ok \d+ - (.*)$/gm)) {
    tests[name] = not ? 'failed' : 'passed'
  }
  return { code, output: tool.output, tests }
}

async function runToEnd(
  cli: string,
  args: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const chromium = findForTest()
  const tool = runTool(cli, args, { folder, env: { ...(chromium && { UNDERSTUDY_CHROMIUM: chromium }), ...env } })
  const code = await tool.exit
  return { code, output: tool.output }
}

async function takeReport<Report>(folder: string, output: string): Promise<Report> {
  const file = join(folder, 'report.json')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`Failed to read the results of the tests: the test runner wrote no report. Its output:\n${output}`)
  })
  await rm(file)
  return JSON.parse(text) as Report
}
