/**
 * Runs a part of the second tier in a separate process, and sends its result to `run-all.ts`:
 *
 *     node test/run-part.ts test/webpack/ [Vitest's options…]
 */
import { parseCLI } from 'vitest/node'

import { readCpuTime } from './read-cpu-time.ts'
import { runVitest, type Run } from './run-vitest.ts'

/** The result of a part. */
export interface PartRun extends Run {
  /** The processor time in seconds, where it is known. */
  readonly cpuTime: number | undefined
}

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const run = await runVitest(filter, { config: 'vitest.second-tier.config.ts', ...options }, true)
const result: PartRun = { ...run, cpuTime: readCpuTime() }
// A server that a test forgot to close would keep the process alive.
process.send?.(result, () => process.exit())
