import { startVitest, type CliOptions, type TestModule } from 'vitest/node'

import { findOrInstallChromium } from './find-chromium.ts'

/**
 * What happened to the tests. A module that could not be loaded, and an error that no test caught, each count as
 * one failed test.
 */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Finds or installs a browser, and says which. Tests find it in the environment. */
export function prepareBrowser(): void {
  const browser = findOrInstallChromium()
  process.env['UNDERSTUDY_CHROMIUM'] = browser.path
  console.log(`browser: ${browser.version} at ${browser.path} (${browser.how})`)
}

/**
 * Runs tests once.
 *
 * @param filter parts of the files' paths; none: all files
 * @param options Vitest's own
 */
export async function runVitest(filter: string[], options: CliOptions): Promise<Counts> {
  // A snapshot that is missing fails here as elsewhere a changed one does; `-u` writes it.
  const vitest = await startVitest(filter, { update: 'none', ...options, watch: false })
  const counts = countTests(vitest.state.getTestModules())
  counts.failed += vitest.state.getUnhandledErrors().length
  await vitest.close()
  return counts
}

/** `'512 passed, 0 failed, 3 skipped'` */
export function toLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

/**
 * Ends a run by its counts, on a line of their own. The process ends here: a server that a test forgot must not keep
 * a finished run waiting.
 */
export function finish(counts: Counts): never {
  if (counts.passed + counts.failed === 0) {
    console.error('Failed to test: no test ran. Check the filter against the names of the files.')
  }
  console.log(toLine(counts))
  const isGood = counts.passed > 0 && counts.failed === 0
  process.exit(isGood && !process.exitCode ? 0 : 1)
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
