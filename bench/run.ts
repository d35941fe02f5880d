/**
 * Measures Understudy and its peers:
 *
 *     npm run bench -- [node] [browser] [vite] [storybook] [webpack] [size] [row…] [--rounds=7] [--subjects=Understudy,fetch-mock]
 *     npm run bench -- docs
 *
 * With `--subjects`, it keeps no figures.
 *
 * Prints tables, and keeps the figures in bench/results.json, from which docs/performance.md,
 * bench/goals.md and the table of README.md are written.
 */
import { parseArgs } from 'node:util'

import { measureBrowser } from './browser/measure-browser.ts'
import { chooseSubjects } from './measure/chosen-subjects.ts'
import { measureNode } from './node/measure-node.ts'
import { formatRow } from './report/format-row.ts'
import { writePages } from './report/performance-page.ts'
import { keepResults } from './report/results.ts'
import { measureSize } from './size/measure-size.ts'
import { measureSwitches } from './storybook/measure-switches.ts'
import { measureEdits } from './vite/measure-edits.ts'
import { measurePanel } from './vite/measure-panel.ts'
import { measureVite } from './vite/measure-vite.ts'
import { measureRebuilds } from './webpack/measure-rebuilds.ts'

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, subjects: { type: 'string' } },
  allowPositionals: true,
})

const rounds = Number(values.rounds)
if (values.subjects !== undefined) chooseSubjects(values.subjects.split(','))
/**
 * Returns whether a row is selected: by its name, by its group (the first part of its name), or because no name is
 * given.
 */
const isWanted = (id: string): boolean =>
  positionals.length === 0 || positionals.some((name) => id === name || id.startsWith(`${name}-`))

for (const measure of [
  measureNode,
  measureBrowser,
  measureVite,
  measureEdits,
  measurePanel,
  measureSwitches,
  measureRebuilds,
  measureSize,
]) {
  for await (const row of measure(rounds, isWanted)) {
    if (row.cells.length > 0) console.log(`${formatRow(row)}\n`)
    if (values.subjects === undefined) await keepResults(row)
  }
}
await writePages()
