import type { JudgedGoal, MeasuredRow, Unit } from '../measure/row.ts'

/** A row as lines of text: a table with a line for each subject, and the goals. */
export function formatRow(row: MeasuredRow): string {
  const { head, body } = toTable(row)
  const widths = head.map((title, column) => Math.max(title.length, ...body.map((line) => line[column]?.length ?? 0)))
  const pad = (line: readonly string[]): string =>
    line
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  ')
  return [
    `${row.title} (${row.unit})`,
    ...[head, ...body].map((line) => `  ${pad(line)}`),
    ...row.goals.map((goal) => `  ${formatGoal(goal)}`),
  ].join('\n')
}

/** `✗ Understudy at 1: at least 2 times as fast as msw 3 at 1: 1.89 (the floor: 2.05)` */
export function formatGoal({ text, reached, isMet, floor }: JudgedGoal): string {
  const limit = floor === undefined ? '' : ` (the floor: ${formatFactor(floor)})`
  return `${isMet ? '✓' : '✗'} ${text}: ${formatFactor(reached)}${limit}`
}

/** Subjects by line, variants by column. */
export function toTable({ cells, variantsAre }: MeasuredRow): { head: string[]; body: string[][] } {
  const variants = [...new Set(cells.map(({ variant }) => variant))]
  const subjects = [...new Set(cells.map(({ subject }) => subject))]
  return {
    head: [
      '',
      ...variants.map((variant) =>
        variant === undefined
          ? 'median'
          : typeof variant === 'number'
            ? `${variant.toLocaleString('en')} ${variant === 1 ? (variantsAre ?? '').replace(/s$/, '') : variantsAre}`
            : variant,
      ),
    ],
    body: subjects.map((subject) => [
      subject,
      ...variants.map((variant) => {
        const cell = cells.find((other) => other.subject === subject && other.variant === variant)
        return cell ? formatNumber(cell.median) : '–'
      }),
    ]),
  }
}

/** With three digits that count, and whole numbers from 100 on. */
export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value === 0 ? '0' : value.toPrecision(value < 1 ? 2 : 3)
}

function formatFactor(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

export function describeUnit(unit: Unit): string {
  return unit === '/s' ? 'per second, more is better' : `${unit}, less is better`
}
