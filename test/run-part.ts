/**
 * Runs a part of the second tier in a separate process, and sends its result to `run-all.ts`:
 *
 *     node test/run-part.ts test/webpack/
 */
import { runVitest } from './run-vitest.ts'

const run = await runVitest(process.argv.slice(2), { project: ['heavy', 'firefox'] }, true)
// A server that a test forgot to close would keep the process alive.
process.send?.(run, () => process.exit())
