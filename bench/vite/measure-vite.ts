import type { Browser, BrowserContext, Page } from 'playwright'

import { endWorkers } from '../../test/acceptance/chromium.ts'
import { launchChromium } from '../browser/measure-browser.ts'
import { noMocking } from '../browser/serve-pages.ts'
import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import type { MeasuredRow, Row } from '../measure/row.ts'
import { msw3, understudy } from '../subjects/msw-like.ts'
import { createApp, declining, expectedSum, routing } from './create-app.ts'
import { endApp, serveApp } from './run-app.ts'

const subjects = [noMocking, understudy, msw3]
const cells = subjects.map((subject) => ({ subject }))
const cellsWithFloors = [...subjects, declining, routing].map((subject) => ({ subject }))

const ready: Row = {
  id: 'vite-ready',
  title: 'Vite: start of the dev server',
  unit: 'ms',
  cells,
  goals: [{ subject: understudy, atMost: 1.1, of: { subject: noMocking } }],
  whyMissed: 'The plugin’s own modules are loaded, and the service worker’s script is read.',
}

const firstPage: Row = {
  id: 'vite-first-page',
  title: 'Vite: first visit of a page with 1,000 modules, after the server started',
  unit: 'ms',
  note: 'In a new browser context, until the last module has run. Dependencies were optimized in an earlier run.',
  cells,
  goals: [{ subject: understudy, atMost: 1.1, of: { subject: noMocking } }],
}

const warmPage: Row = {
  id: 'vite-warm-page',
  title: 'Vite: later visit of a page with 1,000 modules',
  unit: 'ms',
  note: 'In the same browser context, until the last module has run. The floors register a worker that mocks nothing.',
  cells: cellsWithFloors,
  goals: [{ subject: understudy, atMost: 1.1, of: { subject: noMocking } }],
  floor: declining,
  whyMissed:
    'The worker does not intercept modules. The browser still asks it about each one, and loads the requests of a page with a worker on a longer path. A worker with static routes for scripts shows what this path takes without the question.',
}

const stoppedWorker: Row = {
  id: 'vite-stopped-worker',
  title: 'Vite: later visit of a page with 1,000 modules, after the browser stopped the worker',
  unit: 'ms',
  note: 'The browser stops a worker that is idle for 30 s. The benchmark has the browser stop it before each visit.',
  cells: cellsWithFloors,
  goals: [{ subject: understudy, atMost: 1.1, of: { subject: noMocking } }],
  floor: declining,
  whyMissed: 'As in the row before. The browser also starts the worker before it requests the page.',
}

interface Ran {
  readonly sum: number
  readonly milliseconds: number
}

/** Measures a dev server with and without mocking. */
export async function* measureVite(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  const rows = [ready, firstPage, warmPage, stoppedWorker].filter(({ id }) => isWanted(id))
  if (rows.length === 0) return
  const folders = new Map<string, string>()
  for (const { subject } of cellsWithFloors) folders.set(subject, await createApp(subject))
  const folderOf = (subject: string): string => folders.get(subject) ?? ''
  const browser = await launchChromium()
  try {
    // The first run optimizes dependencies.
    for (const folder of folders.values()) await visitNewServer(folder, browser)
    if (isWanted(ready.id)) {
      yield await measureInRounds(ready, rounds, async ({ subject }) => measureStart(folderOf(subject)))
    }
    if (isWanted(firstPage.id)) {
      yield await measureInRounds(firstPage, rounds, async ({ subject }) => ({
        measure: () => visitNewServer(folderOf(subject), browser),
        stop: async () => {},
      }))
    }
    if (isWanted(warmPage.id)) {
      yield await measureInRounds(warmPage, rounds, ({ subject }) => startVisits(folderOf(subject), browser))
    }
    if (isWanted(stoppedWorker.id)) {
      yield await measureInRounds(stoppedWorker, rounds, ({ subject }) =>
        startVisits(folderOf(subject), browser, subject === noMocking ? undefined : stopWorker),
      )
    }
  } finally {
    await browser.close()
  }
}

function measureStart(folder: string): RunningCell {
  return {
    async measure() {
      const start = performance.now()
      const { child } = await serveApp(folder)
      const milliseconds = performance.now() - start
      await endApp(child)
      return milliseconds
    },
    stop: async () => {},
  }
}

async function visitNewServer(folder: string, browser: Browser): Promise<number> {
  const { child, url } = await serveApp(folder)
  const context = await browser.newContext()
  try {
    return await visit(await context.newPage(), url)
  } finally {
    await context.close()
    await endApp(child)
  }
}

async function startVisits(
  folder: string,
  browser: Browser,
  prepare?: (page: Page) => Promise<void>,
): Promise<RunningCell> {
  const { child, url } = await serveApp(folder)
  const context: BrowserContext = await browser.newContext()
  const page = await context.newPage()
  await visit(page, url)
  return {
    async measure() {
      await page.bringToFront()
      await prepare?.(page)
      return visit(page, url)
    },
    async stop() {
      await context.close()
      await endApp(child)
    },
  }
}

/** Leaves the page, and stops its worker. */
async function stopWorker(page: Page): Promise<void> {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await endWorkers(session)
  await session.detach()
}

async function visit(page: Page, url: string): Promise<number> {
  await page.goto(url)
  const handle = await page.waitForFunction(() => (globalThis as { appRan?: Ran }).appRan, undefined, { polling: 100 })
  const ran = await handle.jsonValue()
  if (ran?.sum === expectedSum) return ran.milliseconds
  throw new Error(`Failed to verify ${url}: its modules give ${String(ran?.sum)}, not ${expectedSum}. Fix the app.`)
}
