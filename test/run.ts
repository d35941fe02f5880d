/**
 * Runs the tests of the first tier, all of them or those given on the command line:
 *
 *     node test/run.ts [file filter…] [Vitest's options…]
 *
 * Finds or installs a browser first. The last line of the output has the counts.
 */
import { parseCLI } from 'vitest/node'

import { finish, prepareBrowser, prepareHeadlessShell, runVitest } from './run-vitest.ts'

// Only `.ci/run` sets the variable.
const isInCi = process.env['UNDERSTUDY_SECOND_ATTEMPT'] === '1'

try {
  prepareBrowser()
  prepareHeadlessShell(isInCi)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
finish(await runVitest(filter, { project: ['!heavy', '!firefox'], ...options }, isInCi))
