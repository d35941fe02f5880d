import type { Browser, Page } from 'playwright'

import { launchChromium } from '../browser/measure-browser.ts'
import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import type { Cell, MeasuredRow, Row } from '../measure/row.ts'
import { writeApp } from './create-app.ts'
import { endApp, serveApp } from './run-app.ts'

const without = 'Understudy without a panel'
const open = 'Understudy with an open panel'

const panel: Row = {
  id: 'vite-panel',
  title: 'Vite: latency of a mocked fetch, with 300 handlers and after 10,000 requests',
  unit: 'ms',
  note: 'The panel was opened in another window of the browser after the first requests of the app.',
  cells: [open, without].map((subject) => ({ subject })),
  goals: [{ subject: open, atMost: 1.05, of: { subject: without } }],
  whyMissed:
    'For each request, the page logs its steps and keeps its headers and body. The panel renders at the same time, on the same processor.',
}

const tabs = ['Handlers', 'Requests']

const frames: Row = {
  id: 'vite-panel-frames',
  title: 'Vite: longest time between two frames of the panel, while 1,000 requests arrive, with 300 handlers',
  unit: 'ms',
  note: '60 frames per second are 16.7 ms apart. Above 25 ms, a frame was dropped. The app and the panel share the processor.',
  variantsAre: 'the open tab',
  whyMissed:
    'The app, the browser’s own processes and the panel share two processor cores, and the app uses all that it gets. With the tab Requests, each update changes the contents of all visible rows.',
  cells: tabs.map((variant) => ({ subject: open, variant })),
  goals: tabs.map((variant) => ({ subject: open, variant, limit: 25 })),
}

/** Measures the cost of an open panel for the page, and whether the panel itself is smooth. */
export async function* measurePanel(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  if (!isWanted(panel.id) && !isWanted(frames.id)) return
  const browser = await launchChromium()
  try {
    if (isWanted(panel.id)) yield await measureInRounds(panel, rounds, ({ subject }) => startCell(subject, browser))
    if (isWanted(frames.id)) yield await measureInRounds(frames, rounds, ({ variant }) => startFrames(variant, browser))
  } finally {
    await browser.close()
  }
}

interface Bench {
  readonly bench: (count: number, atOnce: number) => Promise<number>
}

interface Frames {
  /** The longest time between two frames so far. */
  longest: number
}

async function startFrames(tab: Cell['variant'], browser: Browser): Promise<RunningCell> {
  const { page, panelPage, stop } = await openApp(open, browser, String(tab))
  if (!panelPage) throw new Error('Failed to measure the panel: it is not open.')
  await panelPage.getByRole('tab', { name: String(tab) }).click()
  await page.evaluate(ask, [1000, 10] as const)
  return {
    async measure() {
      await panelPage.bringToFront()
      const watching = await panelPage.evaluateHandle((): Frames => {
        const watched = { longest: 0 }
        let last = performance.now()
        const next = (): void => {
          const now = performance.now()
          watched.longest = Math.max(watched.longest, now - last)
          last = now
          requestAnimationFrame(next)
        }
        // The first frame may have been waiting.
        requestAnimationFrame(() => {
          last = performance.now()
          requestAnimationFrame(next)
        })
        return watched
      })
      await page.evaluate(ask, [1000, 10] as const)
      return watching.evaluate(({ longest }) => longest)
    },
    stop,
  }
}

const ask = ([count, atOnce]: readonly [number, number]): Promise<number> =>
  (globalThis as unknown as Bench).bench(count, atOnce)

async function startCell(subject: string, browser: Browser): Promise<RunningCell> {
  const { page, stop } = await openApp(subject, browser)
  await page.evaluate(ask, [10_000, 50] as const)
  return {
    async measure() {
      await page.bringToFront()
      return page.evaluate(ask, [100, 1] as const)
    },
    stop,
  }
}

interface OpenApp {
  readonly page: Page
  /** Missing if the panel is not open. */
  readonly panelPage: Page | undefined
  readonly stop: () => Promise<void>
}

async function openApp(subject: string, browser: Browser, tab = ''): Promise<OpenApp> {
  const folder = await createApp(subject, tab)
  const { child, url } = await serveApp(folder)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction(() => 'bench' in globalThis)
  // The page has the worker in its process before there is a second page of the origin. Otherwise, the browser starts
  // the worker in the process of the panel, and each request crosses processes twice more.
  await page.evaluate(ask, [10, 1] as const)
  const panelPage = subject === open ? await context.newPage() : undefined
  await panelPage?.goto(`${url}__understudy/`)
  await panelPage?.getByText('/api/item-299').first().waitFor()
  return {
    page,
    panelPage,
    async stop() {
      await context.close()
      await endApp(child)
    },
  }
}

/** Cells run at the same time, and each tab needs another folder. */
function createApp(subject: string, tab: string): Promise<string> {
  const handlers = Array.from(
    { length: 300 },
    (_, index) => `  http.get('/api/item-${index}', () => HttpResponse.json({ index: ${index} })),`,
  )
  return writeApp(`${subject} ${tab}`, {
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
