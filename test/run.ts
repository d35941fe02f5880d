/**
 * Runs every test that is named on the command line, or all of them:
 *
 *     node test/run.ts [file filter…] [Vitest's options…]
 *
 * Finds or installs a browser first, and ends with the counts on a line of their own.
 */
import { parseCLI, startVitest, type TestModule } from 'vitest/node'

import { findOrInstallChromium } from './find-chromium.ts'

/**
 * What happened to the tests. A module that could not be loaded, and an error that no test caught, each count as
 * one failed test.
 */
interface Counts {
  passed: number
  failed: number
  skipped: number
}

process.exitCode = await runTests()
// A server that a test forgot must not keep a finished run waiting.
process.exit()

async function runTests(): Promise<number> {
  try {
    const browser = findOrInstallChromium()
    process.env['UNDERSTUDY_CHROMIUM'] = browser.path
    console.log(`browser: ${browser.version} at ${browser.path} (${browser.how})`)
  } catch (error) {
    console.error((error as Error).message)
    return 1
  }

  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
  // A snapshot that is missing fails here as elsewhere a changed one does; `-u` writes it.
  const vitest = await startVitest(filter, { update: 'none', ...options, watch: false })
  const counts = countTests(vitest.state.getTestModules())
  counts.failed += vitest.state.getUnhandledErrors().length
  await vitest.close()

  if (counts.passed + counts.failed === 0) {
    console.error('Failed to test: no test ran. Check the filter against the names of the files.')
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  const isGood = counts.passed > 0 && counts.failed === 0
  return isGood && !process.exitCode ? 0 : 1
}

function countTests(modules: readonly TestModule[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      // A test that never reported back did not pass.
      counts[state === 'pending' ? 'failed' : state] += 1
    }
  }
  return counts
}
