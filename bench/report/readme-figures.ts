import { msw3, understudy } from '../subjects/msw-like.ts'
import { formatNumber } from './format-row.ts'
import type { KeptRow } from './results.ts'

const start =
  '<!-- `npm run bench` writes this table from bench/results.json. Edit bench/report/readme-figures.ts instead. -->'
const end = '<!-- end of the table -->'

/**
 * Writes the table of the README again.
 *
 * @throws if a measured row or a comment around the table is missing
 */
export function replaceFigures(readme: string, rows: readonly KeptRow[]): string {
  const [before, rest] = split(readme, start)
  const [, after] = split(rest, end)
  return `${before}${start}\n\n${createTable(rows)}\n\n${end}${after}`
}

function split(text: string, comment: string): [before: string, after: string] {
  const at = text.indexOf(comment)
  if (at === -1) throw new Error(`Failed to write the figures of README.md: it lacks the comment "${comment}". Add it.`)
  return [text.slice(0, at), text.slice(at + comment.length)]
}

function createTable(rows: readonly KeptRow[]): string {
  const median = (id: string, subject: string, variant?: number | string): number => {
    const row = rows.find((each) => each.id === id)
    const cell = row?.cells.find((each) => each.subject === subject && each.variant === variant)
    if (cell) return cell.median
    throw new Error(`Failed to write the figures of README.md: ${id} has no figure of ${subject}. Measure the row.`)
  }
  const figure = (...[id, subject, variant]: Parameters<typeof median>): string =>
    formatNumber(median(id, subject, variant))
  const compare = (title: string, [own, other]: readonly [string, string], unit: string, note = ''): string =>
    `| ${title} | ${own} ${unit}${note} | ${other} ${unit} |`
  const both = (id: string, variant?: number | string): [string, string] => [
    figure(id, understudy, variant),
    figure(id, msw3, variant),
  ]
  const seconds = (subject: string): string => formatNumber(median('vite-first-page', subject) / 1000)
  const plain = 'no mocking'
  const sizes = ['at first', 'with start()', 'in all'].map((variant) => figure('size-bundle', understudy, variant))
  return [
    '| | Understudy | MSW 3 |',
    '|---|---:|---:|',
    '| Setup in the app | none | start code, and a worker file unless you use its Vite plugin |',
    compare('Mocked `fetch` in Node, 1,000 handlers', both('node-mocked-fetch', 1000), 'per second'),
    compare('Mocked `fetch` in Chromium, 1,000 handlers', both('browser-mocked', 1000), 'ms'),
    compare(
      '`fetch` that no handler matches, in Chromium',
      both('browser-passthrough', 1),
      'ms',
      ` (without mocking: ${figure('browser-passthrough', plain, 1)} ms)`,
    ),
    compare(
      'First visit of a page with 1,000 modules under Vite',
      [seconds(understudy), seconds(msw3)],
      's',
      ` (without mocking: ${seconds(plain)} s)`,
    ),
    `| \`setupWorker\`, \`http\`, \`HttpResponse\` in a page | ${sizes[0]} KiB at first, ${sizes[1]} KiB with \`start()\`, ${sizes[2]} KiB in total | ${figure('size-bundle', msw3, 'at first')} KiB |`,
    `| Installed packages | ${both('size-packages').map(Number).join(' | ')} |`,
  ].join('\n')
}
