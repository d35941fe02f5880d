/**
 * Runs both tiers. The first one is `run.ts`. The second one has the tests that take long (the panel, webpack's
 * scenarios, Firefox, older versions of build tools) and the heavy sandboxes, which need more than `npm ci`.
 *
 *     node test/run-all.ts
 *     node test/run-all.ts --heavy [--relock] [test/vite] [test/webpack] [test/firefox] [test/floods] [test/site] [test/older-versions] [part of a
 *       sandbox's name…]
 *
 * `--heavy` runs only the second tier. `--heavy --relock` runs no tests and updates the lockfiles of the sandboxes.
 * Three parts run at a time, one file each, because their tests wait for tools and browsers, and up to five while the processor is
 * partly idle. The output of a part is printed when the part ends. The last line of the output has the counts of all tests.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import buildPackages from './acceptance/build-packages.ts'
import { prepareFirefox } from './find-firefox.ts'
import { findHeavySandboxes, install, listChangedPackages, relock, type HeavySandbox } from './heavy-sandboxes.ts'
import { createLoadReader, runInLanes } from './run-lanes.ts'
import type { PartRun } from './run-part.ts'
import { finish, prepareBrowser, prepareHeadlessShell, runVitest, toLine, total, type Run } from './run-vitest.ts'

const { values, positionals } = parseArgs({
  options: { heavy: { type: 'boolean' }, relock: { type: 'boolean' } },
  allowPositionals: true,
})
const isWanted = (name: string): boolean => positionals.length === 0 || positionals.some((part) => name.includes(part))
const sandboxes = findHeavySandboxes().filter(({ name }) => isWanted(name))

try {
  prepareBrowser()
  prepareHeadlessShell(true)
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

/** The parts that take longest. They start first, because otherwise one of them runs alone at the end. */
const longest = [
  'test/vite',
  'test/firefox',
  'test/webpack',
  'test/floods',
  'sandboxes/storybook-react-vite',
  'sandboxes/storybook-9',
  'test/older-versions',
  'sandboxes/node-versions',
  'sandboxes/nextjs',
  'sandboxes/nextjs-15',
  'sandboxes/registry',
  'sandboxes/webpack-react',
  'sandboxes/msw-names',
  'sandboxes/rspack-vue',
  'sandboxes/storybook-react-webpack',
  'sandboxes/storybook-angular',
  'sandboxes/rsbuild-react',
]

interface Part {
  readonly name: string
  /** What must be installed before the part can run. */
  readonly sandbox?: HeavySandbox
}

const folders = ['test/firefox', 'test/vite', 'test/webpack', 'test/floods', 'test/site', 'test/older-versions'].filter(
  isWanted,
)
const waiting: Part[] = [
  ...folders.map((name) => ({ name })),
  ...sandboxes.map((sandbox) => ({ name: `sandboxes/${sandbox.name}`, sandbox })),
].toSorted((a, b) => rank(a) - rank(b))
const isOnlyPart = waiting.length === 1
const installed = new Map<string, Promise<string | Error>>()
const runs: Run[] = []
const lines: string[] = []
if (!values.heavy) await keep('the first tier', () => runVitest([], { project: ['!heavy', '!firefox'] }, false))
await runInLanes(takeNext, { fewest: 3, most: 5, interval: 20_000, readLoad: createLoadReader() })
runs.push(...listChangedPackages().map(failed))
console.log(`\n${lines.join('\n')}\n`)
finish(total(runs))

function rank({ name }: Part): number {
  const index = longest.indexOf(name)
  return index === -1 ? longest.length : index
}

/** Returns a function that runs the next part. */
function takeNext(): (() => Promise<void>) | undefined {
  const part = waiting.shift()
  if (part === undefined) return undefined
  const { name, sandbox } = part
  return () => keep(name, () => (sandbox ? runSandbox(name, sandbox) : runPart(name)))
}

async function keep(name: string, run: () => Promise<Run & Partial<PartRun>>): Promise<void> {
  const start = performance.now()
  const part = await run()
  runs.push(part)
  const cpuTime = part.cpuTime === undefined ? '' : ` (at least ${part.cpuTime.toFixed(0)} s of processor time)`
  lines.push(`${name}: ${toLine(part.counts)}, in ${secondsSince(start)} s${cpuTime}`)
}

/** Installs a sandbox, and the next one while its tests run. A sandbox that cannot be installed counts as one failed test. */
async function runSandbox(name: string, sandbox: HeavySandbox): Promise<Run & Partial<PartRun>> {
  const result = await installOnce(sandbox)
  const next = waiting.find((part) => part.sandbox)?.sandbox
  if (next) void installOnce(next)
  if (result instanceof Error) return failed(result.message)
  return runPart(name, 'test/', `${result}\n`)
}

/** Installs a sandbox. Resolves with a description of the result, or with the error. */
function installOnce(sandbox: HeavySandbox): Promise<string | Error> {
  const start = performance.now()
  const result =
    installed.get(sandbox.name) ??
    install(sandbox).then(
      (how) => `${how} in ${secondsSince(start)} s`,
      (error: Error) => error,
    )
  installed.set(sandbox.name, result)
  return result
}

/** Runs the tests of a part in a separate process, and prints its output when it ends. */
async function runPart(name: string, tests = '', heading = ''): Promise<Run & Partial<PartRun>> {
  console.log(`\n${name}: started`)
  const script = fileURLToPath(new URL('run-part.ts', import.meta.url))
  const child = fork(script, [`${name}/${tests}`, ...(isOnlyPart ? [] : ['--max-workers=1'])], {
    stdio: isOnlyPart ? 'inherit' : ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = heading
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let run: PartRun | undefined
  child.on('message', (message) => {
    run = message as PartRun
  })
  const closed = once(child, 'close')
  const [code] = (await once(child, 'exit')) as [number | null]
  // A server that a test forgot to end keeps the streams open.
  await Promise.race([closed, setTimeout(2000, undefined, { ref: false })])
  console.log(`\n${name}: ended\n${output}`)
  return run ?? failed(`${name}: its process ended with the code ${String(code)} before it sent a result`)
}

function failed(failure: string): Run {
  console.error(failure)
  return { counts: { passed: 0, failed: 1, skipped: 0 }, failures: [failure], flakes: [] }
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1)
}
