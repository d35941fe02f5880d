import { describeUnit, describeVariant, listVariants } from '../bench/report/format-row.ts'
import type { KeptRow } from '../bench/report/results.ts'

const width = 640
// The longest name is "a worker that answers without a page".
const labelWidth = 230
const valueWidth = 70
const lineHeight = 22

/**
 * Draws one row of the benchmarks as horizontal bars, in SVG. The bars of one variant, such as a number of handlers,
 * share a scale. A variant with one subject is only in the table, because a bar without another one shows nothing.
 */
export function createChart({ title, unit, variantsAre, cells }: KeptRow): string {
  let y = 0
  const parts: string[] = []
  for (const variant of listVariants({ cells })) {
    const own = cells.filter((cell) => cell.variant === variant)
    if (own.length < 2) continue
    const largest = Math.max(...own.map(({ median }) => median))
    const heading = describeVariant(variant, variantsAre)
    if (heading !== undefined) {
      y += lineHeight
      parts.push(`<text x="0" y="${y - 6}" font-weight="600">${escape(heading)}</text>`)
    }
    for (const { subject, median } of own) {
      const length = Math.max(1, ((width - labelWidth - valueWidth) * median) / (largest || 1))
      const name = subject.startsWith('Understudy') ? ' class="own"' : ''
      parts.push(
        `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${escape(subject)}</text>`,
        `<rect${name} x="${labelWidth}" y="${y + 4}" width="${length.toFixed(1)}" height="${lineHeight - 8}" rx="2"/>`,
        `<text class="value" x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 15}">${formatNumber(median)}</text>`,
      )
      y += lineHeight
    }
    y += 6
  }
  if (parts.length === 0) return ''
  const label = `${title}. ${describeUnit(unit)}`
  return `<svg class="benchmark" role="img" aria-label="${escape(label)}" viewBox="0 0 ${width} ${y}">${parts.join('')}</svg>\n`
}

function formatNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
