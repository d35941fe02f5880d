/**
 * Runs both tiers. The first one is `run.ts`. The second one has the tests that take long (the panel, webpack's
 * scenarios, Firefox, older versions of build tools) and the heavy sandboxes, which need more than `npm ci`.
 *
 *     node test/run-all.ts
 *     node test/run-all.ts --heavy [--relock] [test/vite] [test/webpack] [test/firefox] [test/floods] [test/site] [test/older-versions] [part of a
 *       sandbox's name…]
 *
 * `--heavy` runs only the second tier. `--heavy --relock` runs no tests and updates the lockfiles of the sandboxes.
 * The last line of the output has the counts of all tests.
 */
import { parseArgs } from 'node:util'

import buildPackages from './acceptance/build-packages.ts'
import { prepareFirefox } from './find-firefox.ts'
import { findHeavySandboxes, install, relock, type HeavySandbox } from './heavy-sandboxes.ts'
import { finish, prepareBrowser, runVitest, toLine, total, type Run } from './run-vitest.ts'

const { values, positionals } = parseArgs({
  options: { heavy: { type: 'boolean' }, relock: { type: 'boolean' } },
  allowPositionals: true,
})
const isWanted = (name: string): boolean => positionals.length === 0 || positionals.some((part) => name.includes(part))
const sandboxes = findHeavySandboxes().filter(({ name }) => isWanted(name))

try {
  prepareBrowser()
  if (['test/firefox', 'test/floods', 'test/site'].some(isWanted)) prepareFirefox()
  buildPackages()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

if (values.relock) {
  for (const sandbox of sandboxes) {
    await relock(sandbox)
    console.log(`sandboxes/${sandbox.name}: locked`)
  }
  process.exit()
}

const lines: string[] = []
const runs: Run[] = []
if (!values.heavy) await runTier('the first tier', () => runVitest([], { project: ['!heavy', '!firefox'] }))
for (const folder of ['test/vite', 'test/webpack', 'test/firefox', 'test/floods', 'test/site', 'test/older-versions']) {
  if (isWanted(folder)) await runTier(folder, () => runVitest([`${folder}/`], { project: ['heavy', 'firefox'] }))
}
let next = installNext(0)
for (const [index, sandbox] of sandboxes.entries()) {
  const installed = await next
  next = installNext(index + 1)
  await runTier(`sandboxes/${sandbox.name}`, () => runSandbox(sandbox, installed))
}
console.log(`\n${lines.join('\n')}\n`)
finish(total(runs))

async function runTier(name: string, run: () => Promise<Run>): Promise<void> {
  const start = performance.now()
  const tier = await run()
  runs.push(tier)
  lines.push(`${name}: ${toLine(tier.counts)}, in ${secondsSince(start)} s`)
}

/**
 * Installs a sandbox while the tests of the previous one run. Resolves with a description of the result, or with the
 * error.
 */
async function installNext(index: number): Promise<string | Error> {
  const sandbox = sandboxes[index]
  if (!sandbox) return ''
  const start = performance.now()
  try {
    return `${await install(sandbox)} in ${secondsSince(start)} s`
  } catch (error) {
    return error as Error
  }
}

/** A sandbox that cannot be installed counts as one failed test. */
async function runSandbox({ name }: HeavySandbox, installed: string | Error): Promise<Run> {
  console.log(`\nsandboxes/${name}`)
  if (typeof installed === 'string') {
    console.log(installed)
    return runVitest([`sandboxes/${name}/test/`], { project: ['heavy'] })
  }
  console.error(installed.message)
  return { counts: { passed: 0, failed: 1, skipped: 0 }, failures: [installed.message], flakes: [] }
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1)
}
