/**
 * Runs a part of the second tier in a separate process, and sends its result to `run-all.ts`:
 *
 *     node test/run-part.ts test/webpack/ [Vitest's options…]
 */
import { parseCLI } from 'vitest/node'

import { runVitest } from './run-vitest.ts'

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)])
const run = await runVitest(filter, { project: ['heavy', 'firefox'], ...options }, true)
// A server that a test forgot to close would keep the process alive.
process.send?.(run, () => process.exit())
