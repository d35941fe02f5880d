import { chromium, type Browser, type Page } from 'playwright'

import { findOrInstallChromium } from '../../test/find-chromium.ts'
import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import { nameCell, type Cell, type MeasuredRow } from '../measure/row.ts'
import { browserRows, type BrowserRow } from './browser-rows.ts'
import type { PageBench, PageMeasure } from './page-measure.ts'
import { servePages, slugOf } from './serve-pages.ts'

declare const understudyBench: PageBench

/** The time for which a cell is measured in each round, in milliseconds. */
const slice = 300

/** Measures the rows of the browser, each cell in a separate browser context. */
export async function* measureBrowser(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  const rows = browserRows.filter(({ id }) => isWanted(id))
  if (rows.length === 0) return
  const subjects = new Set(rows.flatMap(({ cells }) => cells.map(({ subject }) => subject)))
  const { server, origin } = await servePages([...subjects])
  const browser = await launchChromium()
  try {
    for (const row of rows) {
      yield await measureInRounds(row, rounds, (cell) => startCell(row, cell, browser, origin))
    }
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}

/** Starts Chromium without its background tasks (first-run pages, updates, sync), which would disturb the measurement. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: findOrInstallChromium().path,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

async function startCell(row: BrowserRow, cell: Cell, browser: Browser, origin: string): Promise<RunningCell> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  const query = cell.variant === undefined ? 'handlers=0&bodies' : `handlers=${cell.variant}`
  const url = `${origin}/${slugOf(cell.subject)}.html?${query}`

  async function visit(): Promise<number> {
    await page.goto(url)
    return page.evaluate(() => understudyBench.isReady)
  }

  try {
    await visit()
  } catch (cause) {
    throw new Error(`Failed to measure ${row.id}, ${nameCell(cell)}: ${errors.join('; ')}. See its cause.`, { cause })
  }
  return {
    async measure() {
      await page.bringToFront()
      if (row.measure === 'navigation') return visit()
      const milliseconds = await measureIn(page, row.measure)
      return row.unit === 'ms' ? milliseconds : (1000 * (row.requests ?? 1)) / milliseconds
    },
    stop: () => context.close(),
  }
}

function measureIn(page: Page, name: PageMeasure): Promise<number> {
  return page.evaluate(([measure, milliseconds]) => understudyBench.measure(measure, milliseconds), [
    name,
    slice,
  ] as const)
}
