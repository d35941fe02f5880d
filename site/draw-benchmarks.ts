import type { MarkdownRenderer } from 'vitepress'

import { toHeading } from '../bench/report/performance-page.ts'
import type { KeptRow } from '../bench/report/results.ts'
import { createChart } from './benchmark-chart.ts'

/** Adds the chart of each row below its heading on the performance page. */
export function drawBenchmarks(md: MarkdownRenderer, rows: readonly KeptRow[]): void {
  md.core.ruler.push('benchmark-charts', (state) => {
    const { relativePath } = state.env as { relativePath?: string }
    if (relativePath !== 'performance.md') return
    const { Token } = state
    // Two sections may have rows with the same heading. They are in the order of the rows.
    const drawn = new Set<KeptRow>()
    state.tokens = state.tokens.flatMap((token, index, tokens) => {
      if (token.type !== 'heading_close') return token
      const title = tokens[index - 1]?.content
      const row = rows.find((other) => !drawn.has(other) && toHeading(other.title) === title)
      if (!row) return token
      drawn.add(row)
      const chart = new Token('html_block', '', 0)
      chart.content = createChart(row)
      return [token, chart]
    })
  })
}
