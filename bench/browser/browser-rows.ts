import type { Cell, Row } from '../measure/row.ts'
import { msw2, msw3, understudy, understudyInPage } from '../subjects/msw-like.ts'
import type { PageMeasure } from './page-measure.ts'
import { noMocking, workerAlone } from './serve-pages.ts'

/** A row that is measured in a browser: with one of the pages' measures, or by navigating. */
export interface BrowserRow extends Row {
  readonly measure: PageMeasure | 'navigation'
  /** The number of concurrent requests that one figure covers. Default: 1. */
  readonly requests?: number
}

const counts = [1, 1000]

function cellsOf(subjects: readonly string[], variants: readonly number[]): Cell[] {
  return subjects.flatMap((subject) => variants.map((variant) => ({ subject, variant })))
}

export const browserRows: readonly BrowserRow[] = [
  {
    id: 'browser-mocked',
    title: 'Browser: latency of a mocked fetch, the last handler',
    unit: 'ms',
    variantsAre: 'handlers',
    note: '`await (await fetch(path)).json()`, one after the other. The floor is a service worker that contains the response.',
    measure: 'mocked',
    cells: [...cellsOf([understudy, msw3, msw2], counts), { subject: workerAlone, variant: 1 }],
    goals: [
      ...counts.map((variant) => ({
        subject: understudy,
        variant,
        atLeast: 0.9,
        than: { subject: workerAlone, variant: 1 },
      })),
      { subject: understudy, variant: 1000, atLeast: 9, than: { subject: msw3, variant: 1000 } },
    ],
    floor: workerAlone,
    whyMissed:
      'The difference to the floor is a message from the worker to the page and one back. The rest is the browser’s path to a worker, which MSW takes too.',
  },
  {
    id: 'browser-mocked-in-tests',
    title: 'Browser: latency of a mocked fetch in tests, the last handler',
    unit: 'ms',
    variantsAre: 'handlers',
    note: 'As above. “In the page” is `start({ answer: "page" })`, the default of Vitest’s browser mode.',
    measure: 'mocked',
    cells: cellsOf([understudyInPage, understudy, msw3, msw2], counts),
    goals: counts.map((variant) => ({
      subject: understudyInPage,
      variant,
      atLeast: 10,
      than: { subject: understudy, variant },
    })),
    whyMissed: 'The rest is creating a Request and a Response, and parsing the JSON.',
  },
  {
    id: 'browser-passthrough',
    title: 'Browser: latency of a fetch that no handler matches',
    unit: 'ms',
    variantsAre: 'handlers',
    measure: 'passthrough',
    cells: [...cellsOf([understudy, msw3, msw2], counts), { subject: noMocking, variant: 1 }],
    goals: counts.map((variant) => ({
      subject: understudy,
      variant,
      atMost: 1.25,
      of: { subject: noMocking, variant: 1 },
    })),
    whyMissed:
      'The browser asks the worker that controls a page about each of its requests, even if the worker declines at once.',
  },
  {
    id: 'browser-concurrent',
    title: 'Browser: mocked fetches, 50 at once, the last handler',
    unit: '/s',
    variantsAre: 'handlers',
    measure: 'concurrent',
    requests: 50,
    cells: [...cellsOf([understudy, msw3, msw2], counts), { subject: workerAlone, variant: 1 }],
    goals: [
      { subject: understudy, variant: 1, atLeast: 2, than: { subject: msw3, variant: 1 } },
      { subject: understudy, variant: 1000, atLeast: 15, than: { subject: msw3, variant: 1000 } },
    ],
    floor: workerAlone,
    whyMissed: 'As for single fetches, the rest is the browser’s path to a worker.',
  },
  {
    id: 'browser-runtime-handlers',
    title: 'Browser: a test: use(handler), fetch, resetHandlers()',
    unit: 'ms',
    variantsAre: 'handlers',
    measure: 'runtimeHandlers',
    cells: cellsOf([understudy, msw3, msw2], counts),
    goals: [
      { subject: understudy, variant: 1, atLeast: 1.2, than: { subject: msw3, variant: 1 } },
      { subject: understudy, variant: 1000, atMost: 1.5, of: { subject: understudy, variant: 1 } },
    ],
    whyMissed:
      'The fetch waits until the worker knows the new handler, which takes a message there and back. MSW’s worker sends every request to the page, so it needs no such message.',
  },
  {
    id: 'browser-request-body',
    title: 'Browser: a request with a body of 10 MiB, mocked',
    unit: 'ms',
    note: 'The handler reads it with `request.arrayBuffer()`.',
    measure: 'requestBody',
    cells: [understudy, msw3, msw2, workerAlone].map((subject) => ({ subject })),
    goals: [{ subject: understudy, atLeast: 0.95, than: { subject: workerAlone } }],
    floor: workerAlone,
    whyMissed:
      'Most of the time is the browser’s: it passes the body from the page to the worker, and the worker sends it back in a message. A worker that answers without a page is hardly faster.',
  },
  {
    id: 'browser-response-body',
    title: 'Browser: a mocked response with a body of 10 MiB',
    unit: 'ms',
    note: 'The page reads it with `response.arrayBuffer()`.',
    measure: 'responseBody',
    cells: [understudy, msw3, msw2, workerAlone].map((subject) => ({ subject })),
    goals: [{ subject: understudy, atLeast: 0.95, than: { subject: workerAlone } }],
    floor: workerAlone,
    whyMissed: 'Both libraries transfer the stream of the response. Sending the bytes instead took a fifth longer.',
  },
  {
    id: 'browser-second-visit',
    title: 'Browser: second visit, from navigation until mocking is on',
    unit: 'ms',
    note: 'The page’s script is in the cache, and the worker is registered. Mocking is on when `start()` resolves; the benchmark then verifies a mocked response. The floor registers its worker.',
    measure: 'navigation',
    cells: cellsOf([understudy, msw3, msw2, workerAlone], [1]),
    goals: [{ subject: understudy, variant: 1, atLeast: 2.5, than: { subject: msw3, variant: 1 } }],
    floor: workerAlone,
    whyMissed:
      'Nearly all of the time is loading the page, its script and the worker, which every subject does. Understudy looks up the registration, connects to the worker and makes a test request at the same time. Together, these take no longer than the registration of the floor.',
  },
]
