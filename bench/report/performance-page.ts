import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describeUnit, formatGoal, toTable } from './format-row.ts'
import { replaceFigures } from './readme-figures.ts'
import { readResults, type KeptRow } from './results.ts'

const groups = [
  ['node', 'In Node'],
  ['browser', 'In the browser'],
  ['vite', 'Under Vite'],
  ['webpack', 'Under webpack and Rspack'],
  ['storybook', 'In Storybook'],
  ['size', 'Size'],
] as const

const introduction = `# Performance

<!-- Written by \`npm run bench\` from bench/results.json. Edit bench/report/performance-page.ts instead. -->

This page compares the cost of mocking with Understudy, with other libraries, and without mocking: [in Node](#in-node),
[in the browser](#in-the-browser), [under Vite](#under-vite), [under webpack and Rspack](#under-webpack-and-rspack), [in Storybook](#in-storybook), and
[in size](#size).

- Each figure is the median of several rounds, in which the subjects of a table take turns.
- Some tables contain a *floor*: code that does only the necessary work, without a mocking library.
- Absolute figures depend on the machine. Ratios between subjects are similar on other machines.

To repeat the measurement, run \`npm run bench\`, which takes some minutes, or a part of it with \`npm run bench -- node\`. The folder [bench](../bench)
describes the method.
`

const goalsIntroduction = `# Goals of the benchmarks

<!-- Written by \`npm run bench\` from bench/results.json. Edit bench/report/performance-page.ts instead. -->

✓ marks a reached goal and ✗ a missed one, with the factor that is reached. The floor is a subject that does only the necessary work. The reason is
below each missed goal. [Performance](../docs/performance.md) has the figures.
`

/** Writes the pages of {@link createPages}. */
export async function writePages(): Promise<void> {
  for (const [path, text] of await createPages()) await writeFile(path, text)
}

/** The texts of docs/performance.md, bench/goals.md and README.md with the figures of bench/results.json, by path. */
export async function createPages(): Promise<Map<string, string>> {
  const rows = await readResults()
  const sections = groups.flatMap(([group, title]) => {
    const own = rows.filter(({ id }) => id.startsWith(`${group}-`))
    return own.length === 0 ? [] : [`## ${title}\n\n${describeOrigin(own)}\n`, ...own.map(toSection)]
  })
  const goals = rows.filter((row) => row.goals.length > 0).map(toGoals)
  const root = join(import.meta.dirname, '../..')
  const readme = join(root, 'README.md')
  return new Map([
    [join(root, 'docs/performance.md'), [introduction, ...sections].join('\n')],
    [join(root, 'bench/goals.md'), [goalsIntroduction, ...goals].join('\n')],
    [readme, replaceFigures(await readFile(readme, 'utf8'), rows)],
  ])
}

function describeOrigin(rows: readonly KeptRow[]): string {
  const dates = new Map<string, string[]>()
  for (const { date, machine } of rows) dates.set(machine, [...(dates.get(machine) ?? []), date])
  const origins = [...dates].map(([machine, days]) => {
    const [first = '', ...others] = [...new Set(days)].toSorted()
    const last = others.at(-1)
    return last === undefined ? `on ${first} (${machine})` : `from ${first} to ${last} (${machine})`
  })
  return `Measured ${origins.join(' and ')}.`
}

/**
 * Returns the heading of a row. It leaves out what the heading above says: “Node: mocked fetch” is in the section “In Node”.
 *
 * @public The documentation site finds the chart of a heading by it.
 */
export function toHeading(title: string): string {
  const text = title.replace(/^(?:Node|Browser|Vite|Storybook): /, '')
  const isCode = /^\w+\(/.test(text)
  return text === title || isCode ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function toSection(row: KeptRow): string {
  const { head, body } = toTable(row)
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const table = [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...body.map(line)]
  return [
    `### ${toHeading(row.title)}`,
    [`${describeUnit(row.unit)}.`, row.note].filter(Boolean).join(' '),
    table.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}

function toGoals(row: KeptRow): string {
  const goals = row.goals.map((goal) => `- ${formatGoal(goal)}`)
  const isMissed = row.goals.some(({ isMet }) => !isMet)
  return [`## ${row.title}`, goals.join('\n'), isMissed ? row.whyMissed : undefined]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}
