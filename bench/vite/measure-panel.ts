import type { Browser } from 'playwright'

import { launchChromium } from '../browser/measure-browser.ts'
import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import type { MeasuredRow, Row } from '../measure/row.ts'
import { writeApp } from './create-app.ts'
import { endApp, serveApp } from './run-app.ts'

const without = 'Understudy without a panel'
const open = 'Understudy with an open panel'

const panel: Row = {
  id: 'vite-panel',
  title: 'Vite: latency of a mocked fetch, with 300 handlers and after 10,000 requests',
  unit: 'ms',
  note: 'The panel is open in another window of the browser.',
  cells: [open, without].map((subject) => ({ subject })),
  goals: [{ subject: open, atMost: 1.05, of: { subject: without } }],
  whyMissed: 'The page sends each request to the panel, with its headers and body.',
}

/** Measures the cost of an open panel for the page. */
export async function* measurePanel(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  if (!isWanted(panel.id)) return
  const browser = await launchChromium()
  try {
    yield await measureInRounds(panel, rounds, ({ subject }) => startCell(subject, browser))
  } finally {
    await browser.close()
  }
}

interface Bench {
  readonly bench: (count: number, atOnce: number) => Promise<number>
}

async function startCell(subject: string, browser: Browser): Promise<RunningCell> {
  const folder = await createApp(subject)
  const { child, url } = await serveApp(folder)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction(() => 'bench' in globalThis)
  if (subject === open) {
    const panelPage = await context.newPage()
    await panelPage.goto(`${url}__understudy/`)
    await panelPage.getByText('/api/item-299').first().waitFor()
  }
  const ask = ([count, atOnce]: readonly [number, number]): Promise<number> =>
    (globalThis as unknown as Bench).bench(count, atOnce)
  await page.evaluate(ask, [10_000, 50] as const)
  return {
    async measure() {
      await page.bringToFront()
      return page.evaluate(ask, [100, 1] as const)
    },
    async stop() {
      await context.close()
      await endApp(child)
    },
  }
}

function createApp(subject: string): Promise<string> {
  const handlers = Array.from(
    { length: 300 },
    (_, index) => `  http.get('/api/item-${index}', () => HttpResponse.json({ index: ${index} })),`,
  )
  return writeApp(subject, {
    'package.json': JSON.stringify({ name: 'bench-panel', private: true, type: 'module' }),
    'index.html': '<!doctype html><title>bench</title><script type="module" src="/src/main.js"></script>',
    'src/main.js': asks,
    'src/mocks/handlers.js': `import { http, HttpResponse } from '@understudy/engine'
export const handlers = [
${handlers.join('\n')}
]
`,
    'vite.config.js': `import understudy from '@understudy/vite-plugin'
export default { plugins: [understudy({ quiet: true, panel: ${subject === open} })] }
`,
  })
}

/**
 * Requests the last item several times, some of them concurrently. Returns the duration of one request in milliseconds.
 */
const asks = `
const ask = async () => {
  const { index } = await (await fetch('/api/item-299')).json()
  if (index !== 299) throw new Error('Failed to verify: the answer is ' + index)
}
globalThis.bench = async (count, atOnce) => {
  const begin = performance.now()
  for (let done = 0; done < count; done += atOnce) await Promise.all(Array.from({ length: atOnce }, ask))
  return (performance.now() - begin) / count
}
`
