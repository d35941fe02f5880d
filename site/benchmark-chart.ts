import type { KeptRow } from '../bench/report/results.ts'

const width = 640
const labelWidth = 210
const valueWidth = 70
const lineHeight = 22

/**
 * Draws one row of the benchmarks as horizontal bars, in SVG. The bars of one variant, such as a number of handlers,
 * share a scale.
 */
export function createChart({ title, unit, variantsAre, cells }: KeptRow): string {
  const variants = [...new Set(cells.map(({ variant }) => variant))]
  let y = 0
  const parts: string[] = []
  for (const variant of variants) {
    const own = cells.filter((cell) => cell.variant === variant)
    const largest = Math.max(...own.map(({ median }) => median))
    if (variant !== undefined) {
      y += lineHeight
      const label = typeof variant === 'number' ? `${variant.toLocaleString('en')} ${variantsAre ?? ''}` : variant
      parts.push(`<text x="0" y="${y - 6}" font-weight="600">${escape(label.trim())}</text>`)
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
  const label = `${title}: ${unit === '/s' ? 'per second, more is better' : `${unit}, less is better`}`
  return `<svg class="benchmark" role="img" aria-label="${escape(label)}" viewBox="0 0 ${width} ${y}">${parts.join('')}</svg>\n`
}

function formatNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
