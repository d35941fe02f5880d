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

/**
 * Returns the variants of a row. Numbers are in ascending order, although rows measure the variants with a goal first.
 *
 * @public The charts of the documentation site have the same order.
 */
export function listVariants({ cells }: Pick<MeasuredRow, 'cells'>): (number | string | undefined)[] {
  const variants = [...new Set(cells.map(({ variant }) => variant))]
  return variants.every((variant) => typeof variant === 'number') ? variants.toSorted((a, b) => a - b) : variants
}

/**
 * Returns the name of a variant: `'1 handler'`, `'import and listen'`; `undefined` if the row has only one variant without a name.
 *
 * @public The charts of the documentation site have the same names.
 */
export function describeVariant(
  variant: number | string | undefined,
  variantsAre: string | undefined,
): string | undefined {
  if (typeof variant !== 'number') return variant
  if (variantsAre === undefined) return undefined
  return `${variant.toLocaleString('en')} ${variant === 1 ? variantsAre.replace(/s$/, '') : variantsAre}`
}

/** Subjects by line, variants by column. */
export function toTable({ cells, variantsAre }: MeasuredRow): { head: string[]; body: string[][] } {
  const variants = listVariants({ cells })
  const subjects = [...new Set(cells.map(({ subject }) => subject))]
  return {
    head: ['', ...variants.map((variant) => describeVariant(variant, variantsAre) ?? 'median')],
    body: subjects.map((subject) => [
      subject,
      ...variants.map((variant) => {
        const cell = cells.find((other) => other.subject === subject && other.variant === variant)
        return cell ? formatNumber(cell.median) : '–'
      }),
    ]),
  }
}

/** With three digits that count. Counts, and numbers from 100 on, have no decimals. */
export function formatNumber(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en')
  return value.toPrecision(value < 1 ? 2 : 3)
}

function formatFactor(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}

const unitNames: Record<Unit, string> = {
  '/s': 'Operations per second, more is better',
  ms: 'Milliseconds, less is better',
  KiB: 'KiB, less is better',
  MiB: 'MiB, less is better',
  packages: 'Packages, fewer is better',
}

/** The unit as the start of a sentence. */
export function describeUnit(unit: Unit): string {
  return unitNames[unit]
}
