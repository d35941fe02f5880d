import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import type { Browser } from 'playwright'

import { launchChromium } from '../browser/measure-browser.ts'
import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import type { MeasuredRow, Row } from '../measure/row.ts'
import { msw3, understudy } from '../subjects/msw-like.ts'
import { writeApp } from './create-app.ts'
import { endApp, serveApp } from './run-app.ts'

const plainModule = 'a module without mocking'
const subjects = [understudy, msw3, plainModule]

const edits: Row = {
  id: 'vite-edit',
  title: 'Vite: from a saved edit of the handlers until the page gets the new response',
  unit: 'ms',
  note: 'The page asks when it loads and after a hot update. With MSW, Vite reloads the page. The floor is a module that accepts its own hot updates.',
  cells: subjects.map((subject) => ({ subject })),
  goals: [{ subject: understudy, atMost: 1.3, of: { subject: plainModule } }],
  floor: plainModule,
  whyMissed:
    'The hot update takes as long as that of the plain module, and the first request after it gets the new response. The rest is this request, which goes to the service worker and back. It takes as long as on an idle page.',
}

/** Measures the time from an edit until it has an effect. */
export async function* measureEdits(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  if (!isWanted(edits.id)) return
  const browser = await launchChromium()
  try {
    yield await measureInRounds(edits, rounds, ({ subject }) => startEdits(subject, browser))
  } finally {
    await browser.close()
  }
}

async function startEdits(subject: string, browser: Browser): Promise<RunningCell> {
  const file = subject === plainModule ? 'src/value.js' : 'src/mocks/handlers.js'
  const folder = await createEditedApp(subject, file)
  const { child, url } = await serveApp(folder)
  const context = await browser.newContext()
  const page = await context.newPage()
  let value = 0
  const untilSeen = async (): Promise<number> => {
    const handle = await page.waitForFunction(
      (wanted) => (globalThis as { seenAt?: Record<number, number> }).seenAt?.[wanted],
      value,
      { polling: 20, timeout: 20_000 },
    )
    return (await handle.jsonValue()) as number
  }
  await page.goto(url)
  await untilSeen()
  return {
    async measure() {
      await page.bringToFront()
      // Vite's watcher does not report a second change of a file within 50 ms.
      await setTimeout(200)
      value += 1
      const text = textOf(subject, value)
      const start = performance.timeOrigin + performance.now()
      await writeFile(join(folder, file), text)
      return (await untilSeen()) - start
    },
    async stop() {
      await context.close()
      await endApp(child)
    },
  }
}

function createEditedApp(subject: string, file: string): Promise<string> {
  return writeApp(
    `edits-${subject}`,
    {
      'package.json': JSON.stringify({ name: 'bench-edits', private: true, type: 'module' }),
      'index.html': '<!doctype html><title>bench</title><script type="module" src="/src/main.js"></script>',
      'src/main.js': `${subject === plainModule ? ofModule : subject === msw3 ? startsMsw + asks : asks}\n`,
      [file]: textOf(subject, 0),
      'vite.config.js':
        subject === understudy
          ? `import understudy from '@understudy/vite-plugin'\nexport default { plugins: [understudy({ quiet: true })] }\n`
          : 'export default {}\n',
    },
    subject === msw3,
  )
}

function textOf(subject: string, value: number): string {
  if (subject === plainModule) return `export const value = ${value}\n`
  return `import { http, HttpResponse } from '${subject === msw3 ? 'msw' : '@understudy/engine'}'
export const handlers = [http.get('/api/value', () => HttpResponse.json(${value}))]
`
}

/** Stores the time when a value is first seen. */
const notes = `
globalThis.seenAt = {}
const note = (value) => (globalThis.seenAt[value] ??= performance.timeOrigin + performance.now())
`

const ofModule = `import { value } from './value.js'
${notes}
note(value)
import.meta.hot.accept('./value.js', (module) => note(module.value))`

/** Vite does not wait for what an update starts, so the first answer may be the old one. */
const asks = `${notes}
let last
const ask = async () => {
  for (;;) {
    const value = await (await fetch('/api/value')).json()
    note(value)
    if (value !== last) return (last = value)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
import.meta.hot.on('vite:afterUpdate', ask)
void ask()`

const startsMsw = `import { setupWorker } from 'msw/browser'
import { handlers } from './mocks/handlers.js'
await setupWorker(...handlers).start({ quiet: true, onUnhandledFrame: 'bypass' })
`
