import { setTimeout } from 'node:timers/promises'

import type { CDPSession, Page } from 'playwright'

import { launchBrowser } from '../acceptance/browser.ts'
import { launchFirefox } from '../firefox/firefox.ts'

/** A browser for floods. All tabs belong to one profile. */
export interface FloodBrowser {
  open(url: string): Promise<FloodTab>
  /** Access to memory and workers, if the browser's driver supports it. */
  readonly inspector?: FloodInspector
  /** Whether the browser ends a worker that was idle for a second. */
  readonly endsIdleWorkers: boolean
  /** Whether a page that mocks may enter the back/forward cache. Firefox keeps no page that holds a Web Lock. */
  readonly keepsMockedPages: boolean
  close(): Promise<void>
}

export interface FloodTab {
  /** The value of an expression, or of its promise. */
  evaluate<Value>(expression: string): Promise<Value>
  close(): Promise<void>
}

/** Functions that only Chromium's driver supports. */
export interface FloodInspector {
  /** Ends all service workers of the tab's browser at once. */
  stopWorkers(tab: FloodTab): Promise<void>
  /** Deletes all storage of the tab's origin and its service workers, as "Clear site data" of the developer tools does. */
  clearSiteData(tab: FloodTab): Promise<void>
  /** The bytes in use, after a garbage collection. */
  readHeap(tab: FloodTab): Promise<{ page: number; worker: number }>
}

/** Starts Chromium with a back/forward cache, which Playwright switches off by default. */
export async function launchFloodChromium(): Promise<FloodBrowser> {
  const browser = await launchBrowser([], {
    // The headless shell has no back/forward cache.
    mayBeShell: false,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const context = await browser.newContext()
  const sessions = new Map<FloodTab, { page: Page; cdp: CDPSession }>()

  function getSession(tab: FloodTab): { page: Page; cdp: CDPSession } {
    const session = sessions.get(tab)
    if (!session) throw new Error('Failed to inspect a tab: it belongs to another browser. Open it in this one.')
    return session
  }

  return {
    async open(url) {
      const page = await context.newPage()
      await page.goto(url)
      const tab: FloodTab = {
        evaluate: (expression) => page.evaluate(expression),
        async close() {
          sessions.delete(tab)
          await page.close()
        },
      }
      sessions.set(tab, { page, cdp: await context.newCDPSession(page) })
      return tab
    },
    inspector: {
      async stopWorkers(tab) {
        const { cdp } = getSession(tab)
        await cdp.send('ServiceWorker.enable')
        await cdp.send('ServiceWorker.stopAllWorkers')
        await cdp.send('ServiceWorker.disable')
      },
      async clearSiteData(tab) {
        const { page, cdp } = getSession(tab)
        await cdp.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' })
      },
      async readHeap(tab) {
        const { cdp } = getSession(tab)
        return { page: await readPageHeap(cdp), worker: await readWorkerHeap(await browser.newBrowserCDPSession()) }
      },
    },
    endsIdleWorkers: false,
    keepsMockedPages: true,
    close: () => browser.close(),
  }
}

function readPageHeap(cdp: CDPSession): Promise<number> {
  return readSettled(async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return (await cdp.send('Runtime.getHeapUsage')).usedSize
  })
}

/** Streams and ports are freed over several collections: collects until the heap no longer shrinks. */
async function readSettled(collect: () => Promise<number>): Promise<number> {
  let size = await collect()
  for (;;) {
    await setTimeout(200)
    const next = await collect()
    if (next > size * 0.99) return next
    size = next
  }
}

/** The protocol's messages to a worker go through a session of the browser: Playwright gives workers none. */
async function readWorkerHeap(cdp: CDPSession): Promise<number> {
  const { targetInfos } = await cdp.send('Target.getTargets')
  const worker = targetInfos.find(({ type }) => type === 'service_worker')
  if (!worker) throw new Error('Failed to read the heap of the service worker: it does not run. Make a request first.')
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId: worker.targetId, flatten: false })
  let lastId = 0
  const call = async (method: string): Promise<{ usedSize?: number }> => {
    const id = (lastId += 1)
    const answered = new Promise<{ usedSize?: number }>((resolve) => {
      cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
        const answer = JSON.parse(message) as { id?: number; result?: { usedSize?: number } }
        if (answer.id === id) resolve(answer.result ?? {})
      })
    })
    await cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) })
    return answered
  }
  const size = await readSettled(async () => {
    await call('HeapProfiler.collectGarbage')
    const { usedSize } = await call('Runtime.getHeapUsage')
    if (usedSize === undefined) throw new Error('Failed to read the heap of the service worker: it says none.')
    return usedSize
  })
  await cdp.detach()
  return size
}

/**
 * Starts Firefox.
 *
 * @param endsIdleWorkers whether it ends workers that were idle for a second; default: 30 seconds. Firefox ends a worker
 *   whose response is a stream too, and the page's messages that keep it alive come every 5 seconds
 */
export async function launchFloodFirefox(endsIdleWorkers = false): Promise<FloodBrowser> {
  const firefox = await launchFirefox(endsIdleWorkers ? { 'dom.serviceWorkers.idle_timeout': 1000 } : {})
  const profile = await firefox.createProfile()
  return {
    async open(url) {
      const { page, close } = await profile.openPage()
      await page.goto(url)
      return { evaluate: (expression) => page.evaluate(expression), close }
    },
    endsIdleWorkers,
    keepsMockedPages: false,
    close: () => firefox.close(),
  }
}
