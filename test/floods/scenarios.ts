import type { FloodBrowser, FloodInspector, FloodTab } from './flood-browser.ts'
import type { loads, Parameters } from './loads.ts'
import type { FloodServer } from './serve-floods.ts'
import { addTallies, wait, type Tally } from './tally.ts'

/** A flood of a browser's requests. */
export interface Scenario {
  readonly name: string
  /** The parameters of a test, which takes less than 20 seconds. */
  readonly short: Parameters
  /** The parameters of `npm run soak`. */
  readonly long: Parameters
  /** The required capability of the browser and its driver. Default: none. */
  readonly needs?: 'inspector' | 'ended idle workers' | 'mocked pages in the back/forward cache'
  /** Whether bodies may fail with an error, because the worker is ended on purpose. */
  readonly mayBreak?: boolean
  /** The number of requests that may reach the network because the browser removes the worker. Default: 0. */
  readonly mayEscape?: number
  run(browser: FloodBrowser, server: FloodServer, parameters: Parameters): Promise<FloodResult>
}

export interface FloodResult {
  readonly tally: Tally
  /** Other counts and measurements, by name. */
  readonly figures?: Readonly<Record<string, number>>
  /** Bytes that each request left on a heap, by the heap's name. */
  readonly heapGrowth?: Readonly<Record<string, number>>
}

/** Whether a browser can run a scenario. */
export function isPossible(
  { needs }: Scenario,
  { inspector, endsIdleWorkers, keepsMockedPages }: FloodBrowser,
): boolean {
  if (needs === 'ended idle workers') return inspector !== undefined || endsIdleWorkers
  if (needs === 'inspector') return inspector !== undefined
  return needs === undefined || keepsMockedPages
}

/** Returns the faults of a scenario, by its counts. */
export function findFaults(
  { mayBreak = false, mayEscape = 0 }: Pick<Scenario, 'mayBreak' | 'mayEscape'>,
  { lost, broken, crossed }: Tally,
  { escaped }: FloodServer,
): { lost: number; broken: number; crossed: number; escaped: string[] } {
  const isAllowed = escaped.length <= mayEscape
  return {
    lost,
    broken: mayBreak ? 0 : broken,
    // The response of the network is not the expected one.
    crossed: isAllowed ? Math.max(0, crossed - escaped.length) : crossed,
    escaped: isAllowed ? [] : escaped.slice(0, 10),
  }
}

type LoadName = keyof typeof loads

async function openFlood(
  browser: FloodBrowser,
  { origin }: FloodServer,
  load: LoadName,
  parameters: Parameters,
  name = 'page',
): Promise<FloodTab> {
  const tab = await browser.open(`${origin}/?${name}`)
  await tab.evaluate(`start(${JSON.stringify(load)}, ${JSON.stringify(parameters)}, ${JSON.stringify(name)})`)
  return tab
}

function flood(tab: FloodTab, load: LoadName, parameters: Parameters): Promise<Tally> {
  return tab.evaluate(`flood(${JSON.stringify(load)}, ${JSON.stringify(parameters)})`)
}

/** A scenario that runs one load in one tab. */
function inOneTab(name: string, load: LoadName, short: Parameters, long: Parameters): Scenario {
  return {
    name,
    short,
    long,
    async run(browser, server, parameters) {
      const tab = await openFlood(browser, server, load, parameters)
      const tally = await flood(tab, load, parameters)
      await tab.close()
      return { tally }
    },
  }
}

/** A parameter of a scenario. */
function read(parameters: Parameters, name: string): number {
  const value = parameters[name]
  if (value === undefined) throw new Error(`Failed to run a scenario: the parameter "${name}" is missing. Set it.`)
  return value
}

/** Disturbs the worker every `interval` milliseconds during requests of every kind. */
function disturbed(
  name: string,
  disturb: (inspector: FloodInspector, tab: FloodTab) => Promise<void>,
  long: Parameters,
): Scenario {
  return {
    name,
    short: { seconds: 8, interval: 1000, concurrent: 20 },
    long,
    needs: 'inspector',
    mayBreak: true,
    async run(browser, server, parameters) {
      const tab = await openFlood(browser, server, 'requests', parameters)
      let isOver = false
      const flooding = flood(tab, 'requests', parameters).finally(() => {
        isOver = true
      })
      let times = 0
      while (!isOver) {
        await Promise.race([wait(read(parameters, 'interval')), flooding])
        if (isOver || !browser.inspector) break
        await disturb(browser.inspector, tab)
        times += 1
      }
      const tally = await flooding
      await tab.close()
      return { tally, figures: { times, escaped: server.escaped.length } }
    },
  }
}

const stoppedWorker = disturbed('the worker is stopped under load', (inspector, tab) => inspector.stopWorkers(tab), {
  seconds: 600,
  interval: 2000,
  concurrent: 20,
})

/**
 * The browser removes the registration, and sends requests that are pending at that moment to the network (decision 42). In
 * ten runs on a busy machine, between 0 and 4 requests of 2,500 to 12,000 reached it. The page answers from then on.
 */
const clearedSiteData: Scenario = {
  ...disturbed('site data are cleared under load', (inspector, tab) => inspector.clearSiteData(tab), {
    seconds: 300,
    interval: 3000,
    concurrent: 20,
  }),
  mayEscape: 8,
}

/** Between bursts of requests, the browser ends the worker: Firefox automatically, Chromium through its driver. */
export const idleWorker: Scenario = {
  name: 'the worker is idle between bursts',
  short: { bursts: 4, pause: 1500, count: 200, concurrent: 50 },
  long: { bursts: 200, pause: 1500, count: 200, concurrent: 50 },
  needs: 'ended idle workers',
  async run(browser, server, parameters) {
    const tab = await openFlood(browser, server, 'requests', parameters)
    const tallies: Tally[] = []
    for (let burst = 0; burst < read(parameters, 'bursts'); burst += 1) {
      await browser.inspector?.stopWorkers(tab)
      await wait(read(parameters, 'pause'))
      tallies.push(await flood(tab, 'requests', parameters))
    }
    await tab.close()
    return { tally: addTallies(tallies) }
  },
}

/** Many tabs at once, each with its own handlers. */
const tabs: Scenario = {
  name: 'twelve tabs',
  short: { tabs: 12, count: 200, concurrent: 10 },
  long: { tabs: 12, count: 5000, concurrent: 20 },
  async run(browser, server, parameters) {
    const opened: FloodTab[] = []
    for (let index = 0; index < read(parameters, 'tabs'); index += 1) {
      opened.push(await openFlood(browser, server, 'requests', parameters, `tab ${index}`))
    }
    const tallies = await Promise.all(opened.map((tab) => flood(tab, 'requests', parameters)))
    for (const tab of opened) await tab.close()
    return { tally: addTallies(tallies) }
  },
}

/** Leaves a page and comes back, `visits` times, while another tab stays open. */
const backForwardCache: Scenario = {
  name: 'back/forward cache',
  short: { visits: 3, count: 100, concurrent: 20 },
  long: { visits: 100, count: 100, concurrent: 20 },
  needs: 'mocked pages in the back/forward cache',
  async run(browser, server, parameters) {
    const staying = await openFlood(browser, server, 'requests', parameters, 'staying')
    const tab = await openFlood(browser, server, 'requests', parameters, 'leaving')
    await tab.evaluate(
      `void addEventListener('pageshow', ({ persisted }) => { globalThis.visits = (globalThis.visits ?? 0) + persisted })`,
    )
    const tallies: Tally[] = []
    for (let visit = 1; visit <= read(parameters, 'visits'); visit += 1) {
      await tab.evaluate(`void (location.href = '/empty.html')`)
      await untilTrue(tab, `document.title === 'Empty' && document.readyState === 'complete'`)
      tallies.push(await flood(staying, 'requests', parameters))
      // Use a separate task. Otherwise, the page unloads while the driver waits for the expression.
      await tab.evaluate('void setTimeout(() => history.back())')
      await untilTrue(tab, `globalThis.visits === ${visit}`)
      tallies.push(await flood(tab, 'requests', parameters))
    }
    const visits = await tab.evaluate<number>('globalThis.visits')
    await tab.close()
    await staying.close()
    return { tally: addTallies(tallies), figures: { 'returns from the cache': visits } }
  },
}

/** Waits until an expression is true. While a page changes, it cannot be evaluated. */
async function untilTrue(tab: FloodTab, expression: string): Promise<void> {
  const limit = Date.now() + 30_000
  while (!(await tab.evaluate<boolean>(expression).catch(() => false))) {
    if (Date.now() > limit) throw new Error(`Failed to wait for ${expression}: it did not become true within 30 s.`)
    await wait(20)
  }
}

/** Requests one after the other, with the memory that they leave in the page and in the worker. */
const soak: Scenario = {
  name: 'a soak with a flat heap',
  short: { count: 4000, concurrent: 100 },
  long: { count: 100_000, concurrent: 100 },
  needs: 'inspector',
  async run(browser, server, parameters) {
    const tab = await openFlood(browser, server, 'requests', parameters)
    const count = read(parameters, 'count')
    const tallies = [await flood(tab, 'requests', { ...parameters, count: Math.min(count, 2000) })]
    const half = { ...parameters, count: count / 2 }
    const heaps = [await browser.inspector?.readHeap(tab)]
    for (let part = 0; part < 2; part += 1) {
      tallies.push(await flood(tab, 'requests', half))
      heaps.push(await browser.inspector?.readHeap(tab))
    }
    await tab.close()
    // A leak grows in both halves. A heap also grows once, for example when the browser compiles a function again.
    const growth = (kind: 'page' | 'worker'): number => {
      const sizes = heaps.map((heap) => heap?.[kind] ?? 0)
      const grown = sizes.slice(1).map((size, part) => size - (sizes[part] ?? 0))
      return Math.round((Math.min(...grown) / half.count) * 10) / 10
    }
    return { tally: addTallies(tallies), heapGrowth: { page: growth('page'), worker: growth('worker') } }
  },
}

export const scenarios: readonly Scenario[] = [
  inOneTab(
    'requests with an identity',
    'requests',
    { count: 2000, concurrent: 200 },
    { count: 10_000, concurrent: 200 },
  ),
  inOneTab('large bodies', 'bodies', { megabytes: 10 }, { megabytes: 100 }),
  inOneTab(
    'WebSocket messages',
    'sockets',
    { sockets: 5, messages: 400, perSecond: 1000 },
    { sockets: 10, messages: 6000, perSecond: 1000 },
  ),
  inOneTab('streams at the same time', 'streams', { streams: 100, parts: 10 }, { streams: 500, parts: 100 }),
  inOneTab(
    'ten thousand handlers',
    'handlers',
    { handlers: 10_000, count: 500, concurrent: 50 },
    { handlers: 10_000, count: 20_000, concurrent: 50 },
  ),
  stoppedWorker,
  clearedSiteData,
  idleWorker,
  tabs,
  backForwardCache,
  soak,
]
