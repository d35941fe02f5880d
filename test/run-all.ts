/**
 * Runs both tiers: the first one (`run.ts`); the second is what takes long (the panel, webpack's scenarios, Firefox, older
 * versions of build tools) and the heavy sandboxes, which need more than `npm ci`.
 *
 *     node test/run-all.ts
 *     node test/run-all.ts --heavy [--relock] [test/vite] [test/webpack] [test/firefox] [test/floods] [test/older-versions] [part of a
 *       sandbox's name…]
 *
 * With `--heavy`, the second tier alone; with `--relock` too, no tests, but their lockfiles are brought up to date.
 * Ends with the counts of all, on a line of their own.
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
  if (isWanted('test/firefox') || isWanted('test/floods')) prepareFirefox()
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
if (!values.heavy) await runTier('the first tier', () => runVitest([], { project: ['!heavy'] }))
for (const folder of ['test/vite', 'test/webpack', 'test/firefox', 'test/floods', 'test/older-versions']) {
  if (isWanted(folder)) await runTier(folder, () => runVitest([`${folder}/`], { project: ['heavy'] }))
}
for (const sandbox of sandboxes) await runTier(`sandboxes/${sandbox.name}`, () => runSandbox(sandbox))
console.log(`\n${lines.join('\n')}\n`)
finish(total(runs))

async function runTier(name: string, run: () => Promise<Run>): Promise<void> {
  const start = performance.now()
  const tier = await run()
  runs.push(tier)
  lines.push(`${name}: ${toLine(tier.counts)}, in ${secondsSince(start)} s`)
}

/** A sandbox that cannot be installed counts as one failed test. */
async function runSandbox(sandbox: HeavySandbox): Promise<Run> {
  const start = performance.now()
  console.log(`\nsandboxes/${sandbox.name}`)
  try {
    const how = await install(sandbox)
    console.log(`${how} in ${secondsSince(start)} s`)
  } catch (error) {
    const { message } = error as Error
    console.error(message)
    return { counts: { passed: 0, failed: 1, skipped: 0 }, failures: [message], flakes: [] }
  }
  return runVitest([`sandboxes/${sandbox.name}/test/`], { project: ['heavy'] })
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1)
}
