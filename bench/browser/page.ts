/**
 * The script of a benchmark page. It is bundled once for each subject, with the subject's modules as `subject:core` and
 * `subject:browser`. The page's URL contains the number of handlers.
 */
import { createHandlers, answer, lastPath, type MswLike } from '../subjects/msw-like.ts'
import type { PageMeasure, SubjectModule, SubjectWorker } from './page-measure.ts'

declare const subject: SubjectModule

const tenMegabytes = 10 * 1024 * 1024
const parameters = new URLSearchParams(location.search)
const count = Number(parameters.get('handlers'))

const measures: Record<PageMeasure, () => Promise<void>> = {
  mocked: () => expectAnswer(fetch(lastPath)),
  passthrough: () => expectAnswer(fetch('/real')),
  async concurrent() {
    await Promise.all(Array.from({ length: 50 }, () => expectAnswer(fetch(lastPath))))
  },
  async runtimeHandlers() {
    if (!subject.core || !mocking) throw new Error('Failed to measure: this subject has no handlers.')
    const { http, HttpResponse } = subject.core
    mocking.use(http.get('/runtime', () => HttpResponse.json(answer)))
    await expectAnswer(fetch('/runtime'))
    mocking.resetHandlers()
  },
  async requestBody() {
    const response = await fetch('/upload', { method: 'POST', body: bytes })
    expectValue(await response.text(), String(tenMegabytes))
  },
  async responseBody() {
    const response = await fetch('/download')
    expectValue((await response.arrayBuffer()).byteLength, tenMegabytes)
  },
}

let bytes: Uint8Array<ArrayBuffer>
let mocking: SubjectWorker | undefined

async function start(): Promise<void> {
  const { core, setupWorker, worker, answer: answerer } = subject
  const wantsBodies = parameters.has('bodies')
  if (wantsBodies) bytes = new Uint8Array(tenMegabytes).fill(97)
  if (core && setupWorker) {
    const handlers = createHandlers(core, count, '')
    if (wantsBodies) handlers.push(...createBodyHandlers(core))
    mocking = setupWorker(...handlers)
    await mocking.start({
      quiet: true,
      // msw 3 renamed the option.
      onUnhandledRequest: 'bypass',
      onUnhandledFrame: 'bypass',
      serviceWorker: { url: worker },
      answer: answerer,
    })
  } else if (worker) await takeControl(worker)
}

function createBodyHandlers({ http, HttpResponse }: MswLike): object[] {
  return [
    http.post('/upload', async ({ request }) => HttpResponse.text(String((await request.arrayBuffer()).byteLength))),
    http.get('/download', () => new Response(bytes)),
  ]
}

/** Registers a worker that does not communicate with pages. */
async function takeControl(url: string): Promise<void> {
  const { serviceWorker } = navigator
  await serviceWorker.register(url)
  if (serviceWorker.controller) return
  await new Promise((resolve) => {
    serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })
}

async function expectAnswer(response: Promise<Response>): Promise<void> {
  expectValue(JSON.stringify(await (await response).json()), JSON.stringify(answer))
}

function expectValue(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`Failed to verify: ${String(found)} is not ${String(expected)}.`)
}

/**
 * Returns the duration of one operation in milliseconds. Repeats it for a time, after some runs that are not counted.
 */
async function measure(name: PageMeasure, milliseconds: number): Promise<number> {
  const run = measures[name]
  // The browser may have terminated the idle worker meanwhile.
  await run()
  await run()
  const begin = performance.now()
  let turns = 0
  let elapsed = 0
  while (elapsed < milliseconds) {
    await run()
    turns += 1
    elapsed = performance.now() - begin
  }
  return elapsed / turns
}

/** Milliseconds from the navigation until mocking is on. */
const isReady = start().then(async () => {
  const milliseconds = performance.now()
  if (count > 0 && subject.worker !== undefined) await measures.mocked()
  return milliseconds
})

Object.assign(globalThis, { understudyBench: { isReady, measure } })
