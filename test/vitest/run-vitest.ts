import { join } from 'node:path'

import { repository, type Project } from '../acceptance/project.ts'
import { runTool, type ToolProcess } from '../acceptance/run-tool.ts'
import { findForTest } from '../find-chromium.ts'

/** The script of a Vitest version's command line. */
export type VitestCli = string

export const vitest5: VitestCli = join(repository, 'node_modules/vitest/vitest.mjs')

/** The result of a run, from Vitest's own report. */
export interface VitestRun {
  /** 0: all passed. */
  readonly code: number | null
  /** The output of the terminal. */
  readonly output: string
  /** `'passed'`, `'failed'`… by the tests' full names. */
  readonly tests: Readonly<Record<string, string>>
  /** The error messages of tests by their full names, and of files by their paths in the project. */
  readonly messages: Readonly<Record<string, string>>
}

interface JsonReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

export interface RunOptions {
  cli: VitestCli
  /** The origin of the real API. */
  api: string
  /** Additional environment variables. */
  env?: Record<string, string>
}

/** Starts Vitest in a project, to run the tests again after edits. */
export function watchVitest(project: Project, args: readonly string[], options: RunOptions): ToolProcess {
  return startVitest(project, ['watch', ...args], options)
}

function startVitest(project: Project, args: readonly string[], { cli, api, env: more }: RunOptions): ToolProcess {
  const chromium = findForTest()
  const env = { VITE_API: api, ...(chromium && { UNDERSTUDY_CHROMIUM: chromium }), ...more }
  return runTool(cli, args, { folder: project.folder, env })
}

/** Runs Vitest in a project, as a developer or a build server would. */
export async function runVitest(project: Project, args: readonly string[], options: RunOptions): Promise<VitestRun> {
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=report.json']
  const tool = startVitest(project, ['run', ...reporters, ...args], options)
  const code = await tool.exit
  const report = await project.read('report.json').catch(() => {
    throw new Error(`Failed to read the results of the tests: Vitest wrote no report. Its output:\n${tool.output}`)
  })
  const { testResults } = JSON.parse(report) as JsonReport
  const tests: Record<string, string> = {}
  const messages: Record<string, string> = {}
  for (const { name, message, assertionResults } of testResults) {
    if (message) messages[name.slice(project.folder.length + 1)] = message
    for (const { fullName, status, failureMessages } of assertionResults) {
      tests[fullName] = status
      if (failureMessages?.length) messages[fullName] = failureMessages.join('\n')
    }
  }
  return { code, output: tool.output, tests, messages }
}
